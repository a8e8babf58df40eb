import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../../testing/running.ts';
import { defaultPreferences } from '../rules/preferences.ts';
import { preferencesClient } from '../testing/preferences-client.ts';

let running: Running;
const { store, customer, published } = preferencesClient(() => running);

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

test('an update changes the named preferences, keeps the others, and is published once', async () => {
  const [ada, storeId] = [customer(), await store()];
  expect(await ada.update(storeId, { stampEventsEnabled: false })).toEqual({ status: 200, body: { storeId, updated: true } });
  await ada.update(storeId, { messagesMuted: true });
  await ada.update(storeId, { messagesMuted: true });
  expect(await ada.preferences()).toEqual([
    { ...defaultPreferences, storeId, storeName: 'Corner Coffee', stampEventsEnabled: false, messagesMuted: true },
  ]);
  expect((await published(ada.sub)).map(({ type, sequence, data }) => [type, sequence, data.changed])).toEqual([
    ['prefs.changed', 1, { stampEventsEnabled: false }],
    ['prefs.changed', 2, { messagesMuted: true }],
  ]);
});

test('concurrent updates of different preferences all take effect', async () => {
  const [ada, storeId] = [customer(), await store()];
  const opposite = Object.fromEntries(Object.entries(defaultPreferences).map(([toggle, value]) => [toggle, !value]));
  await Promise.all(Object.entries(opposite).map(([toggle, value]) => ada.update(storeId, { [toggle]: value })));
  expect(await ada.preferences()).toEqual([{ ...opposite, storeId, storeName: 'Corner Coffee' }]);
  expect((await published(ada.sub)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('an update without a preference succeeds and publishes nothing', async () => {
  const [ada, storeId] = [customer(), await store()];
  expect((await ada.update(storeId, {})).body.updated).toBe(true);
  expect(await published(ada.sub)).toEqual([]);
});

test('an update of one store leaves the preferences at other stores and of other customers as they are', async () => {
  const [ada, ben, here, there] = [customer(), customer(), await store('Here'), await store('There')];
  for (const storeId of [here, there]) for (const one of [ada, ben]) await one.update(storeId, {});
  await ada.update(here, { messagesMuted: true });
  const muted = (rows: { messagesMuted: boolean }[]) => rows.map(({ messagesMuted }) => messagesMuted);
  expect([muted(await ada.preferences()), muted(await ben.preferences())]).toEqual([
    [true, false],
    [false, false],
  ]);
});

test('a null preference is refused with VALIDATION_FAILED', async () => {
  const { status, body } = await customer().update(await store(), { stampEventsEnabled: null });
  expect([status, body.error.code, body.error.message]).toEqual([400, 'VALIDATION_FAILED', expect.stringContaining('stampEventsEnabled')]);
});

test('an unknown store is refused with STORE_NOT_FOUND', async () => {
  expect((await customer().update(randomUUID(), { messagesMuted: true })).body.error.code).toBe('STORE_NOT_FOUND');
});

test('a merchant’s token is refused with WRONG_TOKEN_TYPE', async () => {
  expect((await customer({ typ: 'merchant' }).update(await store(), {})).body.error.code).toBe('WRONG_TOKEN_TYPE');
});
