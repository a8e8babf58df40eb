import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { dropOldCodes } from '../jobs/drop-old-codes.ts';
import { programmeOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { customerToken, nobody, openShop, type Shop } from '../testing/shop.ts';
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

const generate = (more: object = {}, token: string = nobody, at = shop) =>
  at.post('stamp-codes', { store_id: at.storeId, ttl_seconds: 60, ...more }, token);
let counter = 0;
const tapped = (of = uid) => {
  counter += 1;
  return fieldsOf(tapOf(of, counter));
};
const refusal = async (answered: ReturnType<typeof generate>) => {
  const { status, body } = await answered;
  return [status, body.error?.code];
};

describe('a code', () => {
  test('is minted for its seconds, and says where it is good', async () => {
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
    expect((await shop.post('stamp-codes', { store_id: shop.storeId }, nobody)).body.expires_in_seconds).toBe(60);
  });

  test('lives 15 to 300 seconds', async () => {
    for (const ttl_seconds of [14, 301, 20.5]) expect((await generate({ ttl_seconds })).status).toBe(400);
    for (const ttl_seconds of [15, 300]) expect((await generate({ ttl_seconds })).body.expires_in_seconds).toBe(ttl_seconds);
  });

  test('is nowhere in the database or the log, nor is what its device said', async () => {
    const device = randomUUID();
    const { body } = await generate({ device_info: device, ...tapped() });
    const rows = await running.service.database.any(sql.type(z.object({ row: z.string() }))`select c::text as row from stamp_code c`);
    const all = rows.map(({ row }) => row).join() + JSON.stringify(running.lines);
    expect(rows.length).toBeGreaterThan(0);
    for (const secret of [body.code, Buffer.from(body.code).toString('hex'), device, Buffer.from(device).toString('hex')])
      expect(all).not.toContain(secret);
    expect(JSON.stringify(running.lines)).not.toContain('1111111111111111');
  });

  test('in two statements, a customer’s in four, and two more with a tap', async () => {
    const ana = await customerToken(running, randomUUID());
    const requests = [() => generate(), () => generate({}, ana), () => generate(tapped())];
    for (const [index, request] of requests.entries()) {
      running.statements.length = 0;
      await request();
      expect(running.statements.filter((text) => /from store|stamp_code|advisory|tag/.test(text))).toHaveLength([2, 4, 4][index] ?? 0);
    }
  });

  test('is dropped a week after its end, and no sooner', async () => {
    const { body } = await generate({ ttl_seconds: 15 });
    const redeem = async () => (await shop.post('stamp-codes/redeem', { code: body.code }, nobody)).body.error.code;
    running.clock.advance({ days: 7 });
    await dropOldCodes(running.service.context);
    expect(await redeem()).toBe('CODE_EXPIRED');
    running.clock.advance({ seconds: 16 });
    await dropOldCodes(running.service.context);
    expect(await redeem()).toBe('CODE_NOT_FOUND');
  });
});

describe('asked for again', () => {
  test('within 60 seconds it is the same for a customer, with its first end, also when all ask at once', async () => {
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

  test('it is another for another customer, another store, a guest, or when the first has ended', async () => {
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

describe('a tap', () => {
  test('proves presence, once: its counter only rises', async () => {
    const older = tapped();
    const newer = tapped();
    expect((await generate(newer)).body).toMatchObject({ presence_verified: true, deduplicated: false });
    expect(await refusal(generate(older))).toEqual([409, 'NFC_TAP_REPLAYED']);
  });

  test('sent again by its device it answers the same code, while that lives; to another device never', async () => {
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

  test('that made a customer’s code does not show it to another', async () => {
    const tap = tapped();
    const ana = await customerToken(running, randomUUID());
    await generate(tap, ana);
    expect((await generate(tap, ana)).status).toBe(200);
    expect(await refusal(generate(tap))).toEqual([409, 'NFC_TAP_REPLAYED']);
    expect(await refusal(generate(tap, await customerToken(running, randomUUID())))).toEqual([409, 'NFC_TAP_REPLAYED']);
  });

  test('proves the code its customer asked for before', async () => {
    const ana = await customerToken(running, randomUUID());
    const first = await generate({}, ana);
    const tap = tapped();
    expect((await generate(tap, ana)).body).toMatchObject({ code: first.body.code, presence_verified: true, deduplicated: true });
    expect((await generate(tap, ana)).body).toMatchObject({ code: first.body.code, presence_verified: true });
  });

  test('is used up by whoever is first, of many at once', async () => {
    const tap = tapped();
    const responses = await Promise.all(Array.from({ length: 8 }, () => generate({ ...tap, device_info: randomUUID() })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.error?.code === 'NFC_TAP_REPLAYED')).toHaveLength(7);
  });
});

describe('refuses', () => {
  test('an unknown store, and one that runs no programme', async () => {
    expect(await refusal(generate({ store_id: randomUUID() }))).toEqual([404, 'STORE_NOT_FOUND']);
    const off = await openShop(running, { enabled: false });
    expect(await refusal(generate({ nfc_cmac: '00' }, nobody, off))).toEqual([409, 'LOYALTY_DISABLED']);
  });

  test('half a proof, and none where one is asked', async () => {
    const { nfc_picc_data, nfc_cmac } = tapped();
    expect(await refusal(generate({ nfc_picc_data, nfc_cmac }))).toEqual([400, 'NFC_PROOF_INCOMPLETE']);
    expect(await refusal(generate({ nfc_picc_data, nfc_cmac, nfc_key_version: null }))).toEqual([400, 'NFC_PROOF_INCOMPLETE']);
    const strict = await openShop(running, { nfc_enforced: true, tags: [{ uid: '04000000000001' }] });
    expect(await refusal(generate({}, nobody, strict))).toEqual([403, 'NFC_PROOF_REQUIRED']);
    expect((await generate(fieldsOf(tapOf('04000000000001', 1)), nobody, strict)).status).toBe(200);
  });

  test('a proof of another store’s tag', async () => {
    await openShop(running, { tags: [{ uid: '04000000000002' }] });
    const tap = fieldsOf(tapOf('04000000000002', 1));
    expect(await refusal(generate(tap))).toEqual([403, 'NFC_TAG_WRONG_STORE']);
  });

  test('every bad proof with one and the same answer', async () => {
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
    expect(new Set(alike.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(alike[0]).toMatchObject({ status: 403, code: 'NFC_PROOF_INVALID' });
    expect((await generate(good)).status).toBe(200);
  });

  test('a tag that its programme no longer names; named again it remembers its taps', async () => {
    const tags = [{ uid: '04000000000003' }];
    const here = await openShop(running, { tags });
    const tap = (n: number) => generate(fieldsOf(tapOf('04000000000003', n)), nobody, here);
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

  test('an old key version for a tag written anew, whose new one is good', async () => {
    const here = await openShop(running, { tags: [{ uid: '04000000000004', key_version: '2' }] });
    expect(await refusal(generate(fieldsOf(tapOf('04000000000004', 1, '1')), nobody, here))).toEqual([403, 'NFC_PROOF_INVALID']);
    expect((await generate(fieldsOf(tapOf('04000000000004', 1, '2')), nobody, here)).status).toBe(200);
  });
});
