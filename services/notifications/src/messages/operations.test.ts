// covers: answerMarketingOptIn, readMarketingAsk, upsertPreferences, listPreferences
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { defaultPreferences } from './rules/preferences.ts';
import { customerSeenEvent } from './testing/events.ts';
import { preferencesClient } from './testing/preferences-client.ts';

let running: Running;
const { store, customer, published, asksOf } = preferencesClient(() => running);

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

describe('answerMarketingOptIn', () => {
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
});

describe('readMarketingAsk', () => {
  test('a customer may be asked until they have answered twice; reading counts as no ask', async () => {
    const [ada, storeId] = [customer(), await store()];
    const seen = [];
    for (let answers = 0; answers < 3; answers += 1) {
      await ada.ask(storeId);
      seen.push((await ada.ask(storeId)).body);
      await ada.answer(storeId, false);
    }
    expect(seen).toEqual([{ ask: true }, { ask: true }, { ask: false }]);
  });

  test('a customer who has opted in is not asked there again, and still is at another store', async () => {
    const [ada, here, there] = [customer(), await store(), await store()];
    await ada.answer(here, true);
    expect([(await ada.ask(here)).body, (await ada.ask(there)).body]).toEqual([{ ask: false }, { ask: true }]);
  });

  test('an unknown store is refused with STORE_NOT_FOUND, and a staff token with WRONG_TOKEN_TYPE', async () => {
    expect((await customer().ask(randomUUID())).body.error.code).toBe('STORE_NOT_FOUND');
    expect((await customer({ typ: 'staff' }).ask(await store())).body.error.code).toBe('WRONG_TOKEN_TYPE');
  });

  test('a store that is not an id is refused with VALIDATION_FAILED', async () => {
    expect((await customer().ask('S1')).body.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('store_id'),
    });
  });
});

describe('upsertPreferences', () => {
  test('an update changes the named preferences, keeps the others, and is published once', async () => {
    const [ada, storeId] = [customer(), await store()];
    expect(await ada.update(storeId, { stampEventsEnabled: false })).toEqual({ status: 200, body: { storeId, updated: true } });
    await ada.update(storeId, { messagesMuted: true });
    await ada.update(storeId, { messagesMuted: true });
    expect(await ada.preferences()).toEqual([
      { ...defaultPreferences, storeId, storeName: 'Corner Coffee', stampEventsEnabled: false, messagesMuted: true, marketingAnswer: null },
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
    expect(await ada.preferences()).toEqual([{ ...opposite, storeId, storeName: 'Corner Coffee', marketingAnswer: expect.anything() }]);
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
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'VALIDATION_FAILED',
      expect.stringContaining('stampEventsEnabled'),
    ]);
  });

  test('an unknown store is refused with STORE_NOT_FOUND', async () => {
    expect((await customer().update(randomUUID(), { messagesMuted: true })).body.error.code).toBe('STORE_NOT_FOUND');
  });

  test('a merchant’s token is refused with WRONG_TOKEN_TYPE', async () => {
    expect((await customer({ typ: 'merchant' }).update(await store(), {})).body.error.code).toBe('WRONG_TOKEN_TYPE');
  });
});

describe('listPreferences', () => {
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
});

async function statementsOf(send: () => Promise<unknown>): Promise<number> {
  running.statements.length = 0;
  await send();
  return running.statements.length;
}

test('an update of preferences takes five statements, three when nothing changes, and reading them one', async () => {
  const [ada, storeId] = [customer(), await store()];
  expect(await statementsOf(() => ada.update(storeId, { messagesMuted: true }))).toBe(5);
  expect(await statementsOf(() => ada.update(storeId, { messagesMuted: true }))).toBe(3);
  expect(await statementsOf(() => ada.preferences())).toBe(1);
});
