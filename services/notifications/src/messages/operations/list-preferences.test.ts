import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../../testing/running.ts';
import { customerSeenEvent } from '../testing/directory-events.ts';
import { preferencesClient } from '../testing/preferences-client.ts';

let running: Running;
const { store, customer } = preferencesClient(() => running);

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

test('lists stores the customer has interacted with or has a preference for, by name, then id; an unknown store is Unknown', async () => {
  const ada = customer();
  const [b, a1, a2, unnamed] = [await store('Bakery'), await store('Apothecary'), await store('Apothecary'), randomUUID()];
  const interactions = [a1, unnamed].map((storeId) => customerSeenEvent(ada.sub, storeId, '2026-05-01T12:00:00Z'));
  for (const event of interactions) await running.publish(event);
  await running.processed(...interactions);
  await ada.update(b, { messagesMuted: true });
  await ada.update(a2, {});
  const listed = (await ada.preferences()).map(({ storeId, storeName }: { storeId: string; storeName: string }) => [storeName, storeId]);
  expect(listed).toEqual([...[a1, a2].sort().map((id) => ['Apothecary', id]), ['Bakery', b], ['Unknown', unnamed]]);
});

test('a new customer’s list is empty', async () => {
  expect(await customer().list()).toEqual({ status: 200, body: { preferences: [] } });
});

test('a token without the scope customer:read is refused with INSUFFICIENT_SCOPE', async () => {
  const { status, body } = await customer({ scope: '' }).list();
  expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
});
