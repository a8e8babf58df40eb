import { readStatus } from '@corner/contracts';
import { tcpProxyTo, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { createCall } from '../rpc/call.ts';
import type { RunningService } from '../service.ts';
import { newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from '../testing/services.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let status: () => ReturnType<ReturnType<typeof createCall>>;
beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start(producer());
  const { broker } = await orders.backbone;
  const call = createCall(() => broker);
  status = () => call(readStatus('orders'), {});
});
afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const publishOne = () => orders.database.transaction((tx) => changeAndPublish(tx, newThing(), storeId));

test('a service that is well says so, with its start and an empty backlog', async () => {
  await publishOne();
  await until(async () => (await status()).relay.unpublished === 0 && (await status()).relay.leading, { describe: 'nothing to publish' });
  expect(await status()).toMatchObject({
    ready: true,
    checks: { postgres: 'ok', migrations: 'ok', nats: 'ok', relay: 'ok' },
    started_at: expect.stringMatching(/^\d{4}-/),
    open_dead_letters: 0,
    relay: { leading: true, unpublished: 0, oldest_unpublished_at: null, fault: null },
    consumer_faults: [],
  });
});

test('events that cannot be published are counted, with the time of the oldest, and the reason is named', async () => {
  const { broker } = await orders.backbone;
  const { streams } = await jetstreamManager(broker.connection);
  const stream = broker.streamOf('orders');
  const { config } = await streams.info(stream);
  // The broker refuses every event.
  await streams.update(stream, { ...config, max_msg_size: 1 });
  await publishOne();
  await publishOne();
  await until(async () => (await status()).relay.fault !== null, { describe: 'a fault of the relay' });
  const { relay, ready, checks } = await status();
  expect(relay).toMatchObject({ unpublished: 2, oldest_unpublished_at: expect.stringMatching(/^\d{4}-/) });
  expect(ready).toBe(true);
  expect(checks.relay).toContain(relay.fault);
  await streams.update(stream, config);
  await until(async () => (await status()).relay.fault === null, { describe: 'no fault' });
  await until(async () => (await status()).relay.unpublished === 0, { describe: 'nothing to publish' });
});

test('a service whose Postgres hangs replies in time: it is not ready, and its counts are not known', async () => {
  await using proxy = await tcpProxyTo(platform.database.roleUrl('loyalty'));
  const patient = { DATABASE_URL: proxy.url, DATABASE_RESPONSE_MS: '120000', DATABASE_CONNECT_MS: '120000' };
  await using loyalty = await platform.start(
    consumer(async () => {}),
    {},
    patient,
  );
  const { broker } = await loyalty.backbone;
  proxy.deaden();
  const call = createCall(() => broker, 20);
  const reply = await call(readStatus('loyalty'), {}).finally(() => proxy.cut());
  expect(reply).toMatchObject({
    ready: false,
    checks: { postgres: 'no response within 2 s' },
    open_dead_letters: null,
    relay: { unpublished: null, oldest_unpublished_at: null },
  });
});
