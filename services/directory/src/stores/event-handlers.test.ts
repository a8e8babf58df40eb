import { randomUUID } from 'node:crypto';
import { dataSchemaOf, type Envelope, storeAccountConnected } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const connected = (storeId: string, account_id: string, replaces: string | null = null): Envelope => ({
  specversion: '1.0',
  id: randomUUID(),
  source: '/orders',
  type: storeAccountConnected.type,
  dataschema: dataSchemaOf(storeAccountConnected),
  subject: account_id,
  time: '2026-05-01T11:00:00Z',
  datacontenttype: 'application/json',
  storeid: storeId,
  sequence: 1,
  data: { store_id: storeId, account_id, replaces, mode: 'test', at: '2026-05-01T11:00:00Z' },
});

async function deliver(...envelopes: readonly Envelope[]): Promise<void> {
  for (const envelope of envelopes) {
    await running.publish(envelope);
    await running.processed(envelope);
  }
}
const accounts = async (shop: Shop) => (await shop.snapshots('store')).map(({ data }) => data.connected_account_id);
const store = async (shop: Shop) => (await shop.get('')).body.store;

describe('an account that was opened for a store', () => {
  test('becomes its connected account, in one version, and the log says by whom', async () => {
    const shop = await openShop(running, { name: `Shop ${randomUUID()}` });
    await deliver(connected(shop.storeId, 'acct_new'));
    expect(await accounts(shop)).toEqual([null, 'acct_new']);
    expect((await shop.get('')).body).toMatchObject({ version: 2, store: { connected_account_id: 'acct_new' } });
    expect((await shop.changes('store')).at(-1)).toMatchObject({
      by_name: 'Payment provider',
      fields: [{ field: 'connected_account_id', from: null, to: 'acct_new' }],
    });
  });

  test('delivered twice, and repeated as another event, it changes the store once', async () => {
    const shop = await openShop(running, { name: `Shop ${randomUUID()}` });
    const event = connected(shop.storeId, 'acct_once');
    await deliver(event);
    await running.publish(event);
    await deliver({ ...event, id: randomUUID() });
    expect(await accounts(shop)).toEqual([null, 'acct_once']);
  });

  test('in place of another one, it counts only while the store names that one: what was changed meanwhile stays', async () => {
    const shop = await openShop(running, { name: `Shop ${randomUUID()}` });
    await deliver(connected(shop.storeId, 'acct_test'), connected(shop.storeId, 'acct_live', 'acct_test'));
    await deliver(connected(shop.storeId, 'acct_late'), connected(shop.storeId, 'acct_later', 'acct_test'));
    expect(await accounts(shop)).toEqual([null, 'acct_test', 'acct_live']);
  });

  test('for a store that another directory has, nothing happens, and the next event is processed', async () => {
    const shop = await openShop(running, { name: `Shop ${randomUUID()}` });
    await deliver(connected(randomUUID(), 'acct_elsewhere'), connected(shop.storeId, 'acct_here'));
    expect((await store(shop)).connected_account_id).toBe('acct_here');
  });
});
