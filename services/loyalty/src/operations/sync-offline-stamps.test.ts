import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { customerToken, openShop, type Shop, type TestResponse } from '../testing/shop.ts';
import { fieldsOf, tapOf } from '../testing/tags.ts';

const noon = '2026-05-10T11:00:00Z';
const uid = '04A1B2C3D4E5F6';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(running, { tags: [{ uid }] }, { code: 'Main' });
});
beforeEach(() => running.clock.set(noon));
afterAll(async () => await running[Symbol.asyncDispose]());

let counter = 1_000;
const tapped = () => {
  counter += 1;
  return fieldsOf(tapOf(uid, counter));
};
const receipt = (more: object = {}) => ({
  receipt_id: randomUUID(),
  store_code: shop.storeId,
  tap_timestamp: '2026-05-10T09:00:00Z',
  ...tapped(),
  ...more,
});
const sync = async (customerId: string, stamps: readonly object[]): Promise<TestResponse> =>
  await shop.post('stamps/sync-offline', { stamps }, await customerToken(running, customerId));
const results = async (customerId: string, ...stamps: readonly object[]) => (await sync(customerId, stamps)).body.results;
const Row = z.object({ status: z.string(), source: z.string(), reason: z.string(), created: z.string() });
const rows = (customerId: string) =>
  running.service.database.any(sql.type(Row)`
    select status, source, approval_reason as reason, to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created
    from stamp where customer_id = ${customerId} order by created_at, id`);

describe('the receipt of an offline tap', () => {
  test('counts at once with a proof, at the time of the tap', async () => {
    const ana = randomUUID();
    const [result] = await results(ana, receipt({ receipt_id: 'r1', store_code: 'MAIN', tap_timestamp: '2026-05-09T10:15:30.250+02:00' }));
    expect(result).toEqual({
      receipt_id: 'r1',
      success: true,
      stamp_id: expect.any(String),
      stamp_status: 'approved',
      current_stamps: 1,
      goal: 3,
      voucher_earned: false,
      duplicate: false,
    });
    expect(await rows(ana)).toEqual([
      { status: 'approved', source: 'offline_nfc', reason: 'nfc_proof', created: '2026-05-09T08:15:30.250Z' },
    ]);
    expect((await shop.events(ana)).map(({ type }) => type)).toEqual(['customer.seen', 'stamp.approved']);
  });

  test('mints the voucher it completes, and a repeat returns it again', async () => {
    const ana = randomUUID();
    const batch = [receipt(), receipt(), receipt(), receipt()];
    const first = await results(ana, ...batch);
    expect(first.map((result: { voucher_earned: boolean }) => result.voucher_earned)).toEqual([false, false, true, false]);
    const { active_vouchers, stamp_count } = (await shop.state(ana)).body;
    expect(stamp_count).toBe(1);
    expect(active_vouchers).toMatchObject([{ code: first[2].voucher_code }]);
    expect((await results(ana, batch[2] ?? {}))[0]).toMatchObject({ duplicate: true, voucher_code: first[2].voucher_code });
  });

  test('returns the voucher for the stamp that completed it, even if that tap was the oldest, and for no earlier stamp', async () => {
    const ana = randomUUID();
    const [key, older] = [randomUUID(), receipt({ tap_timestamp: '2026-05-08T09:00:00Z' })];
    await shop.grant(ana);
    await shop.grant(ana, key);
    const [completing] = await results(ana, older);
    expect(completing).toMatchObject({ duplicate: false, voucher_earned: true });
    expect((await results(ana, older))[0]).toMatchObject({ duplicate: true, voucher_code: completing.voucher_code });
    expect((await shop.grant(ana, key)).body).toMatchObject({ idempotent: true, voucher_earned: false, voucher_code: null });
  });

  test('waits for approval without a proof, with an invalid one, and with one of another store', async () => {
    const ana = randomUUID();
    await openShop(running, { tags: [{ uid: '04000000000002' }, { uid: '04000000000003', revoked: true }] });
    const noProof = { nfc_picc_data: null, nfc_cmac: null, nfc_key_version: null };
    const all = await results(
      ana,
      receipt({ ...noProof, source: 'offline_qr' }),
      receipt({ nfc_cmac: null }),
      receipt({ nfc_cmac: '00'.repeat(8) }),
      receipt(fieldsOf(tapOf('04000000000002', 1))),
      receipt(fieldsOf(tapOf('04000000000003', 1))),
    );
    for (const result of all) expect(result).toMatchObject({ success: true, stamp_status: 'pending', current_stamps: 0 });
    expect((await rows(ana)).map(({ reason }) => reason).sort()).toEqual(['no_proof', ...Array.from({ length: 4 }, () => 'proof_invalid')]);
    expect((await shop.events(ana)).filter(({ type }) => type === 'stamp.pending')).toHaveLength(5);
  });

  test('from two phones with the same tap at once: one stamp counts and one waits', async () => {
    const tap = tapped();
    const phones = [randomUUID(), randomUUID()];
    const responses = await Promise.all(phones.map((phone) => results(phone, receipt(tap))));
    expect(responses.map(([result]) => result.stamp_status).sort()).toEqual(['approved', 'pending']);
    expect(
      (await Promise.all(phones.map(rows)))
        .flat()
        .map(({ reason }) => reason)
        .sort(),
    ).toEqual(['nfc_proof', 'tap_replayed']);
  });

  test('counts in any order, also behind later taps, but not after its tap was used online', async () => {
    const [early, online, late] = [tapped(), tapped(), tapped()];
    const generated = await shop.post('stamp-codes', { store_id: shop.storeId, ...online });
    expect(generated.body.presence_verified).toBe(true);
    const all = await results(randomUUID(), receipt(late), receipt(early), receipt(online));
    expect(all.map((result: { stamp_status: string }) => result.stamp_status)).toEqual(['approved', 'approved', 'pending']);
    expect((await shop.post('stamp-codes', { store_id: shop.storeId, ...late })).body.error.code).toBe('NFC_TAP_REPLAYED');
    // A tap synced offline does not refuse newer online taps.
    expect((await shop.post('stamp-codes', { store_id: shop.storeId, ...tapped() })).status).toBe(200);
  });

  test('takes nine statements, and four when it is repeated', async () => {
    const ana = randomUUID();
    await results(ana, receipt());
    const sent = receipt();
    for (const expected of [9, 4]) {
      running.statements.length = 0;
      await results(ana, sent);
      expect(running.statements).toHaveLength(expected);
    }
  });

  test('cannot claim the source of another kind of stamp', async () => {
    const ana = randomUUID();
    await results(ana, receipt({ source: 'order' }), receipt({ source: 'hub' }));
    expect((await rows(ana)).map(({ source }) => source)).toEqual(['offline_nfc', 'offline_nfc']);
  });
});
