import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { anonymous, customerToken, openShop, type Shop } from '../testing/shop.ts';
import { fieldsOf, tapOf } from '../testing/tags.ts';

const noon = '2026-05-01T11:00:00Z';
const uid = '04A1B2C3D4E5F6';
let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(running, { tags: [{ uid }] });
});
beforeEach(() => running.clock.set(noon));
afterAll(async () => await running[Symbol.asyncDispose]());

/** Mints a code with a key. Returns the response, and whether it is a replay. */
async function mint(key: string, token: string = anonymous, more: object = {}) {
  const response = await fetch(`${running.service.url}/api/v1/loyalty/stamp-codes`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(token === anonymous ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ store_id: shop.storeId, ttl_seconds: 60, ...more }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a body or a problem
  const body = (await response.json()) as any;
  return { status: response.status, body, replayed: response.headers.get('idempotent-replayed') };
}

describe('a code under an Idempotency-Key', () => {
  test('is not in the saved responses, nor anywhere else in the database', async () => {
    const [key, token] = [randomUUID(), await customerToken(running, randomUUID())];
    const codes = [(await mint(key)).body.code, (await mint(key, token)).body.code];
    const rows = await running.service.database.any(sql.type(z.object({ row: z.string() }))`
      select k::text as row from idempotency_key k union all select c::text from stamp_code c`);
    const kept = rows.map(({ row }) => row).join();
    expect(kept).toContain(key);
    for (const code of codes) expect(kept).not.toContain(code);
  });

  test('is the same for a guest’s and a customer’s repeat, also after it expired', async () => {
    for (const token of [anonymous, await customerToken(running, randomUUID())]) {
      running.clock.set(noon);
      const key = randomUUID();
      const first = await mint(key, token);
      expect(first).toMatchObject({ status: 200, replayed: null, body: { deduplicated: false, expires_in_seconds: 60 } });
      running.clock.advance({ seconds: 20 });
      const { code, expires_at } = first.body;
      const again = { status: 200, replayed: 'true' };
      expect(await mint(key, token)).toMatchObject({ ...again, body: { code, expires_at, deduplicated: true, expires_in_seconds: 40 } });
      running.clock.advance({ minutes: 10 });
      expect(await mint(key, token)).toMatchObject({ ...again, body: { code, expires_at, deduplicated: true, expires_in_seconds: 0 } });
    }
  });

  test('requested ten times at once is one code', async () => {
    const [key, ana] = [randomUUID(), randomUUID()];
    const token = await customerToken(running, ana);
    const responses = await Promise.all(Array.from({ length: 10 }, () => mint(key, token)));
    expect(new Set(responses.filter(({ status }) => status === 200).map(({ body }) => body.code)).size).toBe(1);
    expect(responses.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    const minted = await running.service.database.oneFirst(sql.type(z.object({ count: z.number() }))`
      select count(*) from stamp_code where customer_id = ${ana}`);
    expect(minted).toBe(1);
  });

  test('is found by its row when the saved Idempotency-Key was lost', async () => {
    const key = randomUUID();
    const first = await mint(key);
    await running.service.database.query(sql.type(z.object({}))`delete from idempotency_key where key = ${key}`);
    expect(await mint(key)).toMatchObject({ replayed: null, body: { code: first.body.code, deduplicated: true } });
  });

  test('belongs to its caller: the same key of another customer gets another code', async () => {
    const key = randomUUID();
    const tokens = [anonymous, await customerToken(running, randomUUID()), await customerToken(running, randomUUID())];
    const codes = await Promise.all(tokens.map(async (token) => (await mint(key, token)).body.code));
    expect(new Set(codes).size).toBe(3);
  });

  test('of a tap is the same after the code expired, and uses the tap up once', async () => {
    const key = randomUUID();
    const tap = fieldsOf(tapOf(uid, 7));
    const first = await mint(key, anonymous, tap);
    expect(first.body.presence_verified).toBe(true);
    running.clock.advance({ minutes: 5 });
    expect((await mint(key, anonymous, tap)).body).toMatchObject({ code: first.body.code, presence_verified: true });
    expect((await mint(randomUUID(), anonymous, tap)).body.error.code).toBe('NFC_TAP_REPLAYED');
  });

  test('is refused for another request with the same key, and a final refusal is repeated', async () => {
    const key = randomUUID();
    await mint(key);
    expect(await mint(key, anonymous, { ttl_seconds: 90 })).toMatchObject({
      status: 422,
      body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
    });
    const refused = randomUUID();
    const used = fieldsOf(tapOf(uid, 8));
    await mint(randomUUID(), anonymous, used);
    for (const replayed of [null, 'true']) {
      expect(await mint(refused, anonymous, { ...used, device_info: 'another' })).toMatchObject({ status: 409, replayed });
    }
  });
});
