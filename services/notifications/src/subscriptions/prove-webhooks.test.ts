import { randomUUID } from 'node:crypto';
import { proveWebhooks } from '@corner/operator';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { orderEvents } from '../messages/testing/events.ts';
import { type Store, startWebhooks, type Webhooks } from './testing/webhooks.ts';

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await startWebhooks();
});
afterAll(async () => {
  await webhooks[Symbol.asyncDispose]();
});

async function feed() {
  const store = await webhooks.newStore();
  const { id } = await store.webhook({ url: null });
  const order = orderEvents({ storeId: store.storeId, customerId: randomUUID(), email: '', phone: '' });
  await webhooks.publish(order.paid(1), order.moved('accepted', 2), order.moved('ready', 3), order.refunded(4));
  await until(async () => ((await store.list())[0].last_number === 4 ? true : null), { describe: 'the fourth number' });
  return { store, id };
}
const prove = ({ storeId, call }: Store) =>
  proveWebhooks(async (path) => {
    const { status, body } = await call('GET', path);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return JSON.stringify(body);
  }, storeId);

test('what each webhook of a store was given is proved by its digest; one that has ended is left out', async () => {
  const { store, id } = await feed();
  const empty = await store.webhook({ url: null, types: ['order.running_late'] });
  const ended = await store.webhook({ url: null });
  await store.of(ended.id, 'DELETE');
  const { hash } = (await store.digest(id, 1, 4)).body;
  const links = await prove(store);
  expect(links).toHaveLength(2);
  expect(links).toContainEqual({ link: `webhook ${id}`, found: `events 1 to 4, ${hash}`, faults: [], state: 'complete' });
  expect(links).toContainEqual({ link: `webhook ${empty.id}`, found: 'no event yet', faults: [], state: 'nothing_yet' });
});

test('an event that was removed is missed, and one that was changed changes the hash', async () => {
  const { store, id } = await feed();
  const [before] = await prove(store);
  await webhooks.running.asSuperuser(
    `update webhook_event set body = replace(body, 'order', 'Order') where webhook_id = '${id}' and number = 2`,
  );
  const [changed] = await prove(store);
  expect([changed?.faults, changed?.found === before?.found]).toEqual([[], false]);
  await webhooks.running.asSuperuser(`delete from webhook_event where webhook_id = '${id}' and number = 3`);
  expect((await prove(store))[0]?.faults).toEqual(['1 to 4: 3 events, and 4 numbers were given']);
});
