import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { expireMultiStamps } from '../jobs/expire-multi-stamps.ts';
import { holdOpen, waitsForLock } from '../testing/held-lock.ts';
import { addStaff, atCounter, type Member, refusalOf, staffSession } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';
import { fieldsOf, tapOf } from '../testing/tags.ts';

const noon = '2026-05-01T11:00:00Z';
const uid = '04A1B2C3D4E5F6';
const strangeUid = '04A1B2C3D4E5F7';
let running: Running;
let strict: Shop;
let member: Member;
beforeAll(async () => {
  running = await startRunning({ at: noon });
  strict = await openShop(running, { goal: 10, nfc_enforced: true, tags: [{ uid }] });
  await openShop(running, { tags: [{ uid: strangeUid }] });
  member = await addStaff(running, strict);
});
beforeEach(() => running.clock.set(noon));
afterAll(async () => await running[Symbol.asyncDispose]());

let counter = 0;
const tap = () => {
  counter += 1;
  return fieldsOf(tapOf(uid, counter));
};

describe('the tap of a confirmation', () => {
  test('is required and verified where the store enforces it', async () => {
    const ana = await atCounter(running, strict, member);
    await ana.request(2);
    const { nfc_picc_data, nfc_cmac, nfc_key_version } = tap();
    expect(await refusalOf(ana.confirm())).toEqual([403, 'NFC_PROOF_REQUIRED']);
    expect(await refusalOf(ana.confirm({ nfc_picc_data, nfc_cmac }))).toEqual([400, 'NFC_PROOF_INCOMPLETE']);
    const forged = { nfc_picc_data, nfc_cmac: '0000000000000000', nfc_key_version };
    expect(await refusalOf(ana.confirm(forged))).toEqual([403, 'NFC_PROOF_INVALID']);
    expect(await refusalOf(ana.confirm(fieldsOf(tapOf(strangeUid, 1))))).toEqual([403, 'NFC_TAG_WRONG_STORE']);
    expect((await ana.confirm({ nfc_picc_data, nfc_cmac, nfc_key_version })).body).toMatchObject({ stamps_created: 2 });
  });

  test('is required with an auth card by default, but not with a staff session', async () => {
    const usual = await openShop(running, { goal: 10, tags: [{ uid: '04000000000002' }] });
    const barista = await addStaff(running, usual);
    const ana = await atCounter(running, usual, barista);
    await ana.request(1);
    expect(await refusalOf(ana.confirm())).toEqual([403, 'NFC_PROOF_REQUIRED']);
    expect((await ana.confirm(fieldsOf(tapOf('04000000000002', 1)))).body).toMatchObject({ stamps_created: 1 });
    await ana.request(1);
    const session = { staff_secret: null, staff_token: await staffSession(running, usual.storeId, { sub: barista.id }) };
    expect((await ana.confirm(session)).body).toMatchObject({ stamps_created: 1, idempotent: false });
  });

  test('is not required with an auth card where the store says that the card alone will do', async () => {
    const loose = await openShop(running, { goal: 10, multi_stamp: { staff_card_without_tap: 'accept' } });
    const ana = await atCounter(running, loose, await addStaff(running, loose));
    await ana.request(1);
    expect((await ana.confirm()).body).toMatchObject({ stamps_created: 1 });
  });

  test('is also verified where the store does not enforce it', async () => {
    const lax = await openShop(running, { goal: 10, tags: [{ uid: '04000000000001' }] });
    const ana = await atCounter(running, lax, await addStaff(running, lax));
    await ana.request(1);
    expect(await refusalOf(ana.confirm(fieldsOf(tapOf('04FFFFFFFFFFFF', 1))))).toEqual([403, 'NFC_PROOF_INVALID']);
    expect((await ana.confirm(fieldsOf(tapOf('04000000000001', 1)))).status).toBe(200);
  });

  test('is accepted once, among all customers', async () => {
    const [ana, ben] = [await atCounter(running, strict, member), await atCounter(running, strict, member)];
    await Promise.all([ana.request(1), ben.request(1)]);
    const one = tap();
    const responses = await Promise.all([ana.confirm(one), ben.confirm(one)]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.error?.code === 'NFC_TAP_REPLAYED')).toHaveLength(1);
  });

  test('is used up by a confirmation, but not by a refusal or a repeat', async () => {
    const [ana, ben] = [await atCounter(running, strict, member), await atCounter(running, strict, member)];
    const [first, second] = [tap(), tap()];
    expect(await refusalOf(ana.confirm(first))).toEqual([404, 'NO_PENDING_REQUEST']);
    await ana.request(1);
    const confirmed = (await ana.confirm(first)).body;
    expect(confirmed).toMatchObject({ stamps_created: 1, idempotent: false });
    // Neither the same tap nor a further one does anything.
    for (const sent of [first, second]) expect((await ana.confirm(sent)).body).toEqual({ ...confirmed, idempotent: true });
    await ben.request(1);
    expect((await ben.confirm(second)).body).toMatchObject({ stamps_created: 1, idempotent: false });
  });

  test('is refused when it is older than the last one, and the request stays pending', async () => {
    const ana = await atCounter(running, strict, member);
    const [older, newer] = [tap(), tap()];
    await ana.request(1);
    await ana.confirm(newer);
    await ana.request(1);
    expect(await refusalOf(ana.confirm(older))).toEqual([409, 'NFC_TAP_REPLAYED']);
    expect((await ana.confirm(tap())).body).toMatchObject({ current_stamps: 2 });
  });

  test('makes a concurrent cancellation wait and an expiry skip the request, and both find it confirmed', async () => {
    const ana = await atCounter(running, strict, member);
    const { request_id } = (await ana.request(2)).body;
    running.clock.advance({ seconds: 65 });
    const { database, context } = running.service;
    const release = await holdOpen(database, sql.type(z.object({}))`select from tag where uid = ${uid} for update`);
    const confirmed = ana.confirm({ request_id, ...tap() });
    await waitsForLock(database, 'update tag set last_counter');
    const cancelled = ana.cancel(request_id);
    await waitsForLock(database, 'update multi_stamp_request');
    running.clock.advance({ seconds: 1 });
    await expireMultiStamps(context);
    await release();
    expect((await confirmed).body).toMatchObject({ stamps_created: 2, current_stamps: 2 });
    expect((await cancelled).body).toEqual({ cancelled: true, previous_status: 'confirmed' });
  });
});
