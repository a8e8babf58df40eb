import { tcpProxyTo, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, consumer, producer } from '../testing/services.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await preparePlatform();
});
afterAll(async () => {
  await platform[Symbol.asyncDispose]();
});

/** Readiness reads the database, which on a busy machine may take longer than the check waits. */
const untilReady = (url: string) =>
  until(async () => (await fetch(`${url}/readyz`)).status === 200, { describe: 'the service to be ready' });

test('a service starts without its broker, serves requests, is ready, and publishes everything once the broker is there', async () => {
  await using proxy = await tcpProxyTo(platform.broker.url, { cut: true });
  await using orders = await platform.start(producer(), {}, { NATS_URL: proxy.url });
  await using loyalty = await platform.start(consumer());
  await untilReady(orders.url);
  const thing = newThing();
  const merchant = await platform.issuer.token({ typ: 'merchant', sub: newThing(), stores: [{ id: storeId, role: 'owner' }] });
  const response = await fetch(`${orders.url}/api/v1/things/${thing}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${merchant}`, 'content-type': 'application/json' },
    body: JSON.stringify({ store_id: storeId }),
  });
  expect(response.status).toBe(200);
  proxy.mend();
  await until(async () => (await effectsOf(loyalty.database, thing)).length === 1, { describe: 'the effect' });
});

test('the health of a service says while its broker is away, and no longer when it is back', async () => {
  await using proxy = await tcpProxyTo(platform.broker.url);
  await using orders = await platform.start(producer(), {}, { NATS_URL: proxy.url });
  await orders.backbone;
  const seen = async () => ((await (await fetch(`${orders.url}/readyz`)).json()) as { checks: { nats: string } }).checks.nats;
  await until(async () => (await seen()) === 'ok', { describe: 'the broker to be reached' });
  proxy.cut();
  await until(async () => (await seen()).startsWith('not connected'), { describe: 'the health to name the broker' });
  proxy.mend();
  await until(async () => (await seen()) === 'ok', { describe: 'the broker to be back' });
});

test('a service that never reached its broker stops at once and starts nothing afterwards', async () => {
  await using proxy = await tcpProxyTo(platform.broker.url, { cut: true });
  const orders = await platform.start(producer(), {}, { NATS_URL: proxy.url });
  await orders[Symbol.asyncDispose]();
  proxy.mend();
  await expect(orders.backbone).rejects.toThrow('stopped');
});

test('a service whose broker refuses the login serves requests all the same', async () => {
  const wrong = new URL(platform.broker.url);
  wrong.username = 'stranger';
  wrong.password = 'nothing';
  const unhandled: unknown[] = [];
  const record = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', record);
  {
    await using orders = await platform.start(producer(), {}, { NATS_URL: wrong.href });
    await untilReady(orders.url);
  }
  process.off('unhandledRejection', record);
  expect(unhandled).toEqual([]);
});

test('a consumer whose connection is closed for good neither ends its process nor loses events', async () => {
  const { promise: reached, resolve: enter } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const unhandled: unknown[] = [];
  const record = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', record);
  process.on('uncaughtException', record);
  await using orders = await platform.start(producer());
  const thing = newThing();
  {
    await using loyalty = await platform.start(
      consumer(async ({ data }) => {
        if (data.thing_id !== thing) return;
        enter();
        await ended;
      }),
    );
    const { broker } = await loyalty.backbone;
    await orders.backbone;
    await orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
    await reached;
    await broker.connection.close();
    end();
    await until(async () => (await effectsOf(loyalty.database, thing)).length === 1, { describe: 'the effect' });
  }
  await using next = await platform.start(consumer());
  await next.backbone;
  await orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
  await until(async () => (await effectsOf(next.database, thing)).length === 2, { describe: 'both effects' });
  process.off('unhandledRejection', record);
  process.off('uncaughtException', record);
  expect(unhandled).toEqual([]);
});
