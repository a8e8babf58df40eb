import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../../testing/running.ts';
import { preferencesClient } from '../testing/preferences-client.ts';

let running: Running;
const { store, customer, published, asksOf } = preferencesClient(() => running);

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const marketing = (preferences: { marketingEnabled: boolean }[]) => preferences.map(({ marketingEnabled }) => marketingEnabled);

test('yes opts in at this store only', async () => {
  const [ada, here, there] = [customer(), await store('Here'), await store('There')];
  await ada.update(there, {});
  expect(await ada.answer(here, true)).toEqual({ status: 200, body: { ok: true } });
  expect(marketing(await ada.preferences())).toEqual([true, false]);
  expect((await published(ada.sub)).map(({ type, data }) => [type, data.accepted ?? data.changed])).toEqual([
    ['marketing.answered', true],
    ['prefs.changed', { marketingEnabled: true }],
  ]);
});

test('no inserts no preference row and counts as an ask, twice at most; a third no publishes nothing', async () => {
  const [ada, storeId] = [customer(), await store()];
  for (let n = 0; n < 3; n += 1) expect((await ada.answer(storeId, false)).status).toBe(200);
  expect([await asksOf(ada.sub), await ada.preferences()]).toEqual([2, []]);
  expect((await published(ada.sub)).map(({ type }) => type)).toEqual(['marketing.answered', 'marketing.answered']);
});

test('yes after two asks still opts in, and a later no opts out', async () => {
  const [ada, storeId] = [customer(), await store()];
  await ada.answer(storeId, false);
  await ada.answer(storeId, false);
  await ada.answer(storeId, true);
  expect(marketing(await ada.preferences())).toEqual([true]);
  await ada.answer(storeId, false);
  expect(marketing(await ada.preferences())).toEqual([false]);
  expect((await published(ada.sub)).at(-1)?.data.changed).toEqual({ marketingEnabled: false });
});

test('twenty concurrent answers count two asks and are published in order', async () => {
  const [ada, storeId] = [customer(), await store()];
  await Promise.all(Array.from({ length: 20 }, () => ada.answer(storeId, false)));
  expect(await asksOf(ada.sub)).toBe(2);
  expect((await published(ada.sub)).map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('an unknown store is refused with STORE_NOT_FOUND', async () => {
  expect((await customer().answer(randomUUID(), true)).body.error.code).toBe('STORE_NOT_FOUND');
});

test('an answer that is not a boolean is refused with VALIDATION_FAILED', async () => {
  const { body } = await customer().answer(await store(), 'yes');
  expect(body.error).toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringContaining('accepted') });
});

test('a staff token is refused with WRONG_TOKEN_TYPE', async () => {
  expect((await customer({ typ: 'staff' }).answer(await store(), true)).body.error.code).toBe('WRONG_TOKEN_TYPE');
});
