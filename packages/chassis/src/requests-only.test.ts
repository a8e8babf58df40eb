import { until } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { job } from './jobs/jobs.ts';
import { RpcUnavailable } from './rpc/call.ts';
import { double } from './testing/contracts.ts';
import { effectsOf, newThing, preparePlatform, storeId } from './testing/platform.ts';
import { changeAndPublish, consumer, producer } from './testing/services.ts';

test('a replica for requests alone publishes its events, and leaves events, RPCs and jobs to the others', async () => {
  await using platform = await preparePlatform();
  const ran: string[] = [];
  const named = (name: string) => ({ ...consumer(), jobs: { note: job(1, async () => void ran.push(name)) } });
  await using orders = await platform.start(producer(), {}, { REQUESTS_ONLY: '1' });
  await using trial = await platform.start(named('trial'), {}, { REQUESTS_ONLY: '1' });
  const { consumers } = await trial.backbone;
  const thing = newThing();
  await orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
  await expect(orders.context.call(double, { number: 2 })).rejects.toThrow(RpcUnavailable);

  await using _orders = await platform.start(producer());
  await using running = await platform.start(named('running'));
  await running.backbone;
  await until(async () => (await effectsOf(running.database, thing)).length === 1, { describe: 'the event' });
  await until(async () => ran.length > 1, { describe: 'the job' });
  expect([consumers.state.processed, consumers.state.pulling.size, new Set(ran)]).toEqual([0, 0, new Set(['running'])]);
  expect(await orders.context.call(double, { number: 2 })).toEqual({ doubled: 4 });
});
