import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { dropOldCodes } from '../jobs/drop-old-codes.ts';
import { programmeOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { anonymous, customerToken, openShop, type Shop } from '../testing/shop.ts';
import { fieldsOf, tapOf } from '../testing/tags.ts';

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

const generate = (more: object = {}, token: string = anonymous, at = shop) =>
  at.post('stamp-codes', { store_id: at.storeId, ttl_seconds: 60, ...more }, token);
let counter = 0;
const tapped = (of = uid) => {
  counter += 1;
  return fieldsOf(tapOf(of, counter));
};
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
