// covers: createWebhook
// covers: listWebhooks
// covers: updateWebhook
// covers: endWebhook
// covers: rotateWebhookSecret
// covers: testWebhook
// covers: repeatWebhookEvent
// covers: listEvents
// covers: readEventsDigest
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Store, startWebhooks, type Webhooks } from './testing/webhooks.ts';

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await startWebhooks();
});
afterAll(async () => await webhooks[Symbol.asyncDispose]());

const changesOf = (store: Store, id: string) => [
  store.of(id, 'PATCH', '', { types: [] }),
  store.of(id, 'DELETE'),
  store.of(id, 'POST', '/rotate-secret'),
  store.of(id, 'POST', '/test'),
  store.of(id, 'POST', '/events/1/repeat'),
];
const codesOf = async (requests: readonly ReturnType<Store['of']>[]) => (await Promise.all(requests)).map(({ body }) => body.error?.code);

test('WEBHOOK_NOT_FOUND: for an unknown id, and for the webhook of another store', async () => {
  const [store, other] = [await webhooks.newStore(), await webhooks.newStore()];
  const foreign = await other.webhook({ url: null });
  for (const id of [randomUUID(), foreign.id]) {
    const reads = [store.digest(id, 1, 1), store.call('GET', `/api/v1/events?store_id=${store.storeId}&webhook_id=${id}`)];
    expect(new Set(await codesOf([...changesOf(store, id), ...reads]))).toEqual(new Set(['WEBHOOK_NOT_FOUND']));
  }
  expect(await other.list()).toMatchObject([{ state: 'active', old_secret_until: null, last_number: 0 }]);
});

test('STORE_NOT_FOUND: for a store of which no snapshot has arrived', async () => {
  const { body } = await webhooks.storeAs(randomUUID(), 'owner').create({ url: null });
  expect(body.error.code).toBe('STORE_NOT_FOUND');
});

test('INSUFFICIENT_ROLE: staff change and list nothing; managers test, repeat and list', async () => {
  const store = await webhooks.newStore();
  const { id } = await store.webhook({ url: null });
  const staff = webhooks.storeAs(store.storeId, 'staff');
  const listed = staff.call('GET', `/api/v1/notifications/stores/${store.storeId}/webhooks`);
  expect(new Set(await codesOf([...changesOf(staff, id), staff.create({ url: null }), listed]))).toEqual(new Set(['INSUFFICIENT_ROLE']));
  const manager = webhooks.storeAs(store.storeId, 'manager');
  expect(await codesOf([...changesOf(manager, id), manager.create({ url: null })])).toEqual([
    'INSUFFICIENT_ROLE',
    'INSUFFICIENT_ROLE',
    'INSUFFICIENT_ROLE',
    undefined,
    'WEBHOOK_EVENT_NOT_FOUND',
    'INSUFFICIENT_ROLE',
  ]);
  expect(await manager.list()).toHaveLength(1);
});

test('WEBHOOK_ADDRESS_REFUSED: names the field and the reason', async () => {
  const store = await webhooks.newStore();
  const { id } = await store.webhook({ url: null });
  for (const url of ['https://169.254.169.254/latest', 'http://shop.example/hook', 'https://intranet/hook', 'not an address'])
    for (const refused of [store.create({ url }), store.of(id, 'PATCH', '', { url })])
      expect((await refused).body.error).toMatchObject({
        code: 'WEBHOOK_ADDRESS_REFUSED',
        message: expect.stringContaining('body.url: must be'),
      });
});

test('EVENTS_NOT_KEPT: no digest of numbers that there are not', async () => {
  const store = await webhooks.newStore();
  const { id } = await store.webhook({ url: null });
  expect((await store.digest(id, 1, 1)).body.error.code).toBe('EVENTS_NOT_KEPT');
});

test('TOO_MANY_WEBHOOKS: an eleventh is not created, and one that ended not made active again', async () => {
  const store = await webhooks.newStore();
  const { id } = await store.webhook({ url: null });
  expect((await store.of(id, 'DELETE')).body.webhook.state).toBe('ended');
  for (let created = 0; created < 10; created += 1) await store.webhook({ url: null });
  expect((await store.create({ url: null })).body.error.code).toBe('TOO_MANY_WEBHOOKS');
  expect((await store.of(id, 'PATCH', '', { types: [] })).body.error.code).toBe('TOO_MANY_WEBHOOKS');
  expect((await store.of(id, 'POST', '/events/1/repeat')).body.error.code).toBe('WEBHOOK_ENDED');
});
