import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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
