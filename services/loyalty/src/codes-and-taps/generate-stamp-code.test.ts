import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { programmeOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { anonymous, customerToken, openShop, type Shop } from '../testing/shop.ts';
import { fieldsOf, tapOf } from '../testing/tags.ts';
import { dropOldCodes } from './entry-points.ts';

const noon = '2026-05-01T11:00:00Z';

const uid = '04A1B2C3D4E5F6';

const revokedUid = '04A1B2C3D4E5F7';

let running: Running;

let shop: Shop;

beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(running, { tags: [{ uid }, { uid: revokedUid.toLowerCase(), revoked: true }] });
});

beforeEach(() => running.clock.set(noon));

afterAll(async () => await running[Symbol.asyncDispose]());

let counter = 0;

const tapped = (of = uid) => {
  counter += 1;
  return fieldsOf(tapOf(of, counter));
};

const generate = (more: object = {}, token: string = anonymous, at = shop) =>
  at.post('stamp-codes', { store_id: at.storeId, ttl_seconds: 60, ...more }, token);

const refusal = async (response: ReturnType<typeof generate>) => {
  const { status, body } = await response;
  return [status, body.error?.code];
};

describe('a code', () => {
  test('is minted for the requested seconds, and names its store', async () => {
    const { status, body } = await generate({ ttl_seconds: 90 });
    expect(status).toBe(200);
    expect(body).toEqual({
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/),
      full_message: `STAMP-${body.code}`,
      store_code: 'S1',
      store_name: 'Corner',
      expires_at: '2026-05-01T11:01:30.000Z',
      message: expect.any(String),
      expires_in_seconds: 90,
      presence_verified: false,
      deduplicated: false,
    });
    expect((await shop.post('stamp-codes', { store_id: shop.storeId }, anonymous)).body.expires_in_seconds).toBe(60);
  });

  test('is valid for 15 to 300 seconds', async () => {
    for (const ttl_seconds of [14, 301, 20.5]) expect((await generate({ ttl_seconds })).status).toBe(400);
    for (const ttl_seconds of [15, 300]) expect((await generate({ ttl_seconds })).body.expires_in_seconds).toBe(ttl_seconds);
  });

  test('is in no table and no log line, and neither is the device’s description', async () => {
    const device = randomUUID();
    const { body } = await generate({ device_info: device, ...tapped() });
    const rows = await running.service.database.any(sql.type(z.object({ row: z.string() }))`select c::text as row from stamp_code c`);
    const all = rows.map(({ row }) => row).join() + JSON.stringify(running.lines);
    expect(rows.length).toBeGreaterThan(0);
    for (const secret of [body.code, Buffer.from(body.code).toString('hex'), device, Buffer.from(device).toString('hex')])
      expect(all).not.toContain(secret);
    expect(JSON.stringify(running.lines)).not.toContain('1111111111111111');
  });

  test('takes two statements, a customer’s four, and a tap two more, or four with the customer’s first visit', async () => {
    const ana = await customerToken(running, randomUUID());
    const bo = await customerToken(running, randomUUID());
    const requests = [() => generate(), () => generate({}, ana), () => generate(tapped()), () => generate(tapped(), bo)];
    for (const [index, request] of requests.entries()) {
      running.statements.length = 0;
      await request();
      expect(running.statements).toHaveLength([2, 4, 4, 8][index] ?? 0);
    }
  });

  test('is deleted a week after it expired, and no sooner', async () => {
    const { body } = await generate({ ttl_seconds: 15 });
    const redeem = async () => (await shop.post('stamp-codes/redeem', { code: body.code }, anonymous)).body.error.code;
    running.clock.advance({ days: 7 });
    await dropOldCodes(running.service.context);
    expect(await redeem()).toBe('CODE_EXPIRED');
    running.clock.advance({ seconds: 16 });
    await dropOldCodes(running.service.context);
    expect(await redeem()).toBe('CODE_NOT_FOUND');
  });
});

describe('a second code', () => {
  test('for the same customer within 60 seconds is the first one, with its first expiry, also when requests are concurrent', async () => {
    const token = await customerToken(running, randomUUID());
    const responses = await Promise.all(Array.from({ length: 6 }, () => generate({ ttl_seconds: 120 }, token)));
    expect(new Set(responses.map(({ body }) => body.code)).size).toBe(1);
    expect(responses.filter(({ body }) => !body.deduplicated)).toHaveLength(1);
    running.clock.advance({ seconds: 59 });
    const again = (await generate({ ttl_seconds: 300 }, token)).body;
    expect(again).toMatchObject({ code: responses[0]?.body.code, deduplicated: true, expires_in_seconds: 61 });
    running.clock.advance({ seconds: 1 });
    expect((await generate({ ttl_seconds: 300 }, token)).body.deduplicated).toBe(false);
  });

  test('differs for another customer, another store, a guest, and after the first has expired', async () => {
    const ana = await customerToken(running, randomUUID());
    const there = await openShop(running);
    const codes = [await generate({ ttl_seconds: 15 }, ana), await generate({}, await customerToken(running, randomUUID()))];
    codes.push(await generate({}, ana, there), await generate(), await generate());
    running.clock.advance({ seconds: 15 });
    codes.push(await generate({}, ana));
    expect(new Set(codes.map(({ body }) => body.code)).size).toBe(6);
    for (const { body } of codes) expect(body.deduplicated).toBe(false);
  });
});

describe('a code is refused', () => {
  test('at an unknown store, and at a store whose programme is off', async () => {
    expect(await refusal(generate({ store_id: randomUUID() }))).toEqual([404, 'STORE_NOT_FOUND']);
    const off = await openShop(running, { enabled: false });
    expect(await refusal(generate({ nfc_cmac: '00' }, anonymous, off))).toEqual([409, 'LOYALTY_DISABLED']);
  });

  test('with an incomplete proof, and without one where the store requires it', async () => {
    const { nfc_picc_data, nfc_cmac } = tapped();
    expect(await refusal(generate({ nfc_picc_data, nfc_cmac }))).toEqual([400, 'NFC_PROOF_INCOMPLETE']);
    expect(await refusal(generate({ nfc_picc_data, nfc_cmac, nfc_key_version: null }))).toEqual([400, 'NFC_PROOF_INCOMPLETE']);
    const strict = await openShop(running, { nfc_enforced: true, tags: [{ uid: '04000000000001' }] });
    expect(await refusal(generate({}, anonymous, strict))).toEqual([403, 'NFC_PROOF_REQUIRED']);
    expect((await generate(fieldsOf(tapOf('04000000000001', 1)), anonymous, strict)).status).toBe(200);
  });

  test('with the proof of another store’s tag', async () => {
    await openShop(running, { tags: [{ uid: '04000000000002' }] });
    const tap = fieldsOf(tapOf('04000000000002', 1));
    expect(await refusal(generate(tap))).toEqual([403, 'NFC_TAG_WRONG_STORE']);
  });

  test('with the same response for every invalid proof', async () => {
    const good = tapped();
    const bad = [
      { ...good, nfc_cmac: '0000000000000000' },
      { ...good, nfc_cmac: 'no hex' },
      { ...good, nfc_picc_data: randomBytes(16).toString('hex') },
      { ...good, nfc_picc_data: randomBytes(24).toString('hex') },
      { ...good, nfc_key_version: '9' },
      fieldsOf(tapOf(uid, counter, '2')),
      fieldsOf(tapOf('04FFFFFFFFFFFF', 1)),
      tapped(revokedUid),
      { nfc_picc_data: 'FD91EC264309878BE6345CBE53BADF40', nfc_cmac: 'ECC1E7F6C6C73BF6', nfc_key_version: '1' },
    ];
    const responses = await Promise.all(bad.map((fields) => generate(fields)));
    const alike = responses.map(({ status, body: { error } }) => ({ status, ...error, requestId: '' }));
    expect(new Set(alike.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(alike[0]).toMatchObject({ status: 403, code: 'NFC_PROOF_INVALID' });
    expect((await generate(good)).status).toBe(200);
  });

  test('for a tag its programme no longer names, which keeps its used taps when it is named again', async () => {
    const tags = [{ uid: '04000000000003' }];
    const here = await openShop(running, { tags });
    const tap = (n: number) => generate(fieldsOf(tapOf('04000000000003', n)), anonymous, here);
    expect((await tap(5)).status).toBe(200);
    await running.consume(programmeOf(here.storeId, { tags: [], version: 2 }));
    expect(await refusal(tap(6))).toEqual([403, 'NFC_PROOF_INVALID']);
    await running.consume(programmeOf(here.storeId, { tags: [...tags, ...tags], version: 3 }));
    running.clock.advance({ minutes: 2 });
    expect(await refusal(tap(5))).toEqual([409, 'NFC_TAP_REPLAYED']);
    expect((await tap(6)).status).toBe(200);
    await running.consume(programmeOf(here.storeId, { tags: [], version: 2 }));
    expect((await tap(7)).status).toBe(200);
  });

  test('with a tag’s old key version once it is written with a new one', async () => {
    const here = await openShop(running, { tags: [{ uid: '04000000000004', key_version: '2' }] });
    expect(await refusal(generate(fieldsOf(tapOf('04000000000004', 1, '1')), anonymous, here))).toEqual([403, 'NFC_PROOF_INVALID']);
    expect((await generate(fieldsOf(tapOf('04000000000004', 1, '2')), anonymous, here)).status).toBe(200);
  });
});

describe('a tap', () => {
  test('verifies presence once, and older taps of its tag are refused', async () => {
    const older = tapped();
    const newer = tapped();
    expect((await generate(newer)).body).toMatchObject({ presence_verified: true, deduplicated: false });
    expect(await refusal(generate(older))).toEqual([409, 'NFC_TAP_REPLAYED']);
  });

  test('sent again by its device returns the same code until that expires, but not to another device', async () => {
    const tap = { ...tapped(), device_info: 'phone' };
    const responses = await Promise.all(Array.from({ length: 5 }, () => generate(tap)));
    expect(new Set(responses.map(({ body }) => body.code)).size).toBe(1);
    expect(responses.filter(({ body }) => body.deduplicated)).toHaveLength(4);
    expect((await generate(tap)).body).toMatchObject({ presence_verified: true, deduplicated: true });
    expect(await refusal(generate({ ...tap, device_info: 'another' }))).toEqual([409, 'NFC_TAP_REPLAYED']);
    expect(await refusal(generate({ ...tap, device_info: null }))).toEqual([409, 'NFC_TAP_REPLAYED']);
    running.clock.advance({ seconds: 60 });
    expect(await refusal(generate(tap))).toEqual([409, 'NFC_TAP_REPLAYED']);
  });

  test('that minted a customer’s code does not return it to another customer', async () => {
    const tap = tapped();
    const ana = await customerToken(running, randomUUID());
    await generate(tap, ana);
    expect((await generate(tap, ana)).status).toBe(200);
    expect(await refusal(generate(tap))).toEqual([409, 'NFC_TAP_REPLAYED']);
    expect(await refusal(generate(tap, await customerToken(running, randomUUID())))).toEqual([409, 'NFC_TAP_REPLAYED']);
  });

  test('verifies the code its customer requested before', async () => {
    const ana = await customerToken(running, randomUUID());
    const first = await generate({}, ana);
    const tap = tapped();
    expect((await generate(tap, ana)).body).toMatchObject({ code: first.body.code, presence_verified: true, deduplicated: true });
    expect((await generate(tap, ana)).body).toMatchObject({ code: first.body.code, presence_verified: true });
  });

  test('sent by many devices at once mints one code', async () => {
    const tap = tapped();
    const responses = await Promise.all(Array.from({ length: 8 }, () => generate({ ...tap, device_info: randomUUID() })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.error?.code === 'NFC_TAP_REPLAYED')).toHaveLength(7);
  });
});

describe('a code under an Idempotency-Key', () => {
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
    const tap = tapped();
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
    const used = tapped();
    await mint(randomUUID(), anonymous, used);
    for (const replayed of [null, 'true']) {
      expect(await mint(refused, anonymous, { ...used, device_info: 'another' })).toMatchObject({ status: 409, replayed });
    }
  });
});
