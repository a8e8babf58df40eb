import { randomUUID } from 'node:crypto';
import { directoryStore } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../../testing/running.ts';
import { keepStore } from '../tables/stores.ts';
import { seen } from '../testing/directory-events.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const marketing = '/api/v1/notifications/marketing-opt-in';
const preferences = '/api/v1/notifications/preferences';

async function store(name = 'Corner Coffee'): Promise<string> {
  const id = randomUUID();
  await running.service.database.transaction((tx) => keepStore(tx, directoryStore.data.parse({ id, version: 1, code: 'S1', name })));
  return id;
}

/** A customer, or whoever else the claims make of them. */
function customer(claims: Record<string, unknown> = {}) {
  const sub = randomUUID();
  const call = async (method: string, path: string, body?: unknown) => {
    const token = await running.issuer.token({ typ: 'customer', sub, scope: 'customer:read', ...claims });
    const response = await fetch(`${running.service.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into it as a caller would
    return { status: response.status, body: (await response.json()) as any };
  };
  return {
    sub,
    answer: (store_id: string, accepted: unknown) => call('POST', marketing, { store_id, accepted }),
    prefer: (storeId: string, toggles: Record<string, unknown>) => call('POST', preferences, { storeId, ...toggles }),
    list: async () => (await call('GET', preferences)).body.preferences,
    listing: () => call('GET', preferences),
  };
}

const told = async (customerId: string) =>
  await running.service.database.any(sql.type(z.object({ type: z.string(), sequence: z.number(), data: z.any() }))`
    select type, aggregate_sequence as sequence, data from outbox where customer_id = ${customerId} order by id`);
const asksOf = async (customerId: string) =>
  await running.service.database.oneFirst(
    sql.type(z.object({ asks: z.number() }))`select asks from marketing_ask where customer_id = ${customerId}`,
  );

const defaults = {
  messagesMuted: false,
  classReminders: true,
  classEventsEnabled: true,
  voucherEventsEnabled: true,
  stampEventsEnabled: true,
  membershipEventsEnabled: true,
  penaltyEventsEnabled: true,
  marketingEnabled: false,
};

describe('preferences', () => {
  test('change what is named, keep the rest, and are told once', async () => {
    const [ada, storeId] = [customer(), await store()];
    expect(await ada.prefer(storeId, { stampEventsEnabled: false })).toEqual({ status: 200, body: { storeId, updated: true } });
    await ada.prefer(storeId, { messagesMuted: true });
    await ada.prefer(storeId, { messagesMuted: true });
    expect(await ada.list()).toEqual([
      { ...defaults, storeId, storeName: 'Corner Coffee', stampEventsEnabled: false, messagesMuted: true },
    ]);
    expect((await told(ada.sub)).map(({ type, sequence, data }) => [type, sequence, data.changed])).toEqual([
      ['prefs.changed', 1, { stampEventsEnabled: false }],
      ['prefs.changed', 2, { messagesMuted: true }],
    ]);
  });

  test('of each toggle survive, however many change at once', async () => {
    const [ada, storeId] = [customer(), await store()];
    await Promise.all(Object.entries(defaults).map(([toggle, usual]) => ada.prefer(storeId, { [toggle]: !usual })));
    const turned = Object.fromEntries(Object.entries(defaults).map(([toggle, usual]) => [toggle, !usual]));
    expect(await ada.list()).toEqual([{ ...turned, storeId, storeName: 'Corner Coffee' }]);
    expect((await told(ada.sub)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('without a toggle are fine and tell nothing', async () => {
    const [ada, storeId] = [customer(), await store()];
    expect((await ada.prefer(storeId, {})).body.updated).toBe(true);
    expect(await told(ada.sub)).toEqual([]);
  });

  test('are listed for stores dealt with and stores with a wish, by name, then id; a store nobody named is Unknown', async () => {
    const ada = customer();
    const [b, a1, a2, unnamed] = [await store('Bakery'), await store('Apothecary'), await store('Apothecary'), randomUUID()];
    const dealings = [seen(ada.sub, a1, '2026-05-01T12:00:00Z'), seen(ada.sub, unnamed, '2026-05-01T12:00:00Z')];
    for (const event of dealings) await running.publish(event);
    await running.processed(...dealings);
    await ada.prefer(b, { messagesMuted: true });
    await ada.prefer(a2, {});
    const listed = (await ada.list()).map(({ storeId, storeName }: { storeId: string; storeName: string }) => [storeName, storeId]);
    expect(listed).toEqual([...[a1, a2].sort().map((id) => ['Apothecary', id]), ['Bakery', b], ['Unknown', unnamed]]);
    expect(await customer().list()).toEqual([]);
  });

  test('refuse a toggle that is null, a store nobody knows, another caller and a missing scope', async () => {
    const [ada, storeId] = [customer(), await store()];
    const nulled = await ada.prefer(storeId, { stampEventsEnabled: null });
    expect([nulled.status, nulled.body.error.message]).toEqual([400, expect.stringContaining('stampEventsEnabled')]);
    expect((await ada.prefer(randomUUID(), { messagesMuted: true })).body.error.code).toBe('STORE_NOT_FOUND');
    expect((await customer({ typ: 'merchant' }).prefer(storeId, {})).body.error.code).toBe('WRONG_TOKEN_TYPE');
    const { status, body } = await customer({ scope: '' }).listing();
    expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
});

describe('the marketing question', () => {
  test('answered yes opts in for this store alone', async () => {
    const [ada, here, there] = [customer(), await store('Here'), await store('There')];
    await ada.prefer(there, {});
    expect(await ada.answer(here, true)).toEqual({ status: 200, body: { ok: true } });
    expect((await ada.list()).map(({ marketingEnabled }: { marketingEnabled: boolean }) => marketingEnabled)).toEqual([true, false]);
    expect((await told(ada.sub)).map(({ type, data }) => [type, data.accepted ?? data.changed])).toEqual([
      ['marketing.answered', true],
      ['prefs.changed', { marketingEnabled: true }],
    ]);
  });

  test('answered no makes no row and counts, twice at most; a third no is nobody’s news', async () => {
    const [ada, storeId] = [customer(), await store()];
    for (let n = 0; n < 3; n += 1) expect((await ada.answer(storeId, false)).status).toBe(200);
    expect([await asksOf(ada.sub), await ada.list()]).toEqual([2, []]);
    expect((await told(ada.sub)).map(({ type }) => type)).toEqual(['marketing.answered', 'marketing.answered']);
  });

  test('a yes after two asks still opts in, and a no switches it off again', async () => {
    const [ada, storeId] = [customer(), await store()];
    await ada.answer(storeId, false);
    await ada.answer(storeId, false);
    await ada.answer(storeId, true);
    expect((await ada.list())[0].marketingEnabled).toBe(true);
    await ada.answer(storeId, false);
    expect((await ada.list())[0].marketingEnabled).toBe(false);
    expect((await told(ada.sub)).at(-1)?.data.changed).toEqual({ marketingEnabled: false });
  });

  test('answered twenty times at once counts two asks and is told in order', async () => {
    const [ada, storeId] = [customer(), await store()];
    await Promise.all(Array.from({ length: 20 }, () => ada.answer(storeId, false)));
    expect(await asksOf(ada.sub)).toBe(2);
    expect((await told(ada.sub)).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  test('refuses a store nobody knows, an answer that is none, and another caller', async () => {
    const [ada, storeId] = [customer(), await store()];
    expect((await ada.answer(randomUUID(), true)).body.error.code).toBe('STORE_NOT_FOUND');
    expect((await ada.answer(storeId, 'yes')).body.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('accepted'),
    });
    expect((await customer({ typ: 'staff' }).answer(storeId, true)).body.error.code).toBe('WRONG_TOKEN_TYPE');
  });
});
