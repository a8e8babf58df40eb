import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { programmeOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { customerToken, openShop, ownerOf, type Shop, type TestResponse } from '../testing/shop.ts';
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

const everything = () =>
  running.service.database.one(sql.type(z.object({ all: z.string() }))`
    select md5(concat((select string_agg(s::text, ',' order by id) from stamp s), (select string_agg(c::text, ',' order by c::text) from card c),
      (select string_agg(v::text, ',' order by id) from voucher v), (select string_agg(n::text, ',' order by n::text) from nfc_tap n),
      (select count(*) from outbox))) as all`);

test('receipts of a wrong shape fail alone, each with its own error', async () => {
  const token = await customerToken(running, randomUUID());
  const nul = [receipt({ receipt_id: 'a\0' }), receipt({ source: '\0' })];
  const wrong = [7, null, 'tap', [], { receipt_id: 5 }, receipt({ receipt_id: 'x'.repeat(256) }), receipt({ nfc_cmac: {} }), ...nul];
  const good = [receipt(), receipt()];
  const stamps = [good[0], ...wrong, good[1]];
  const { status, body } = await shop.post('stamps/sync-offline', { stamps }, token);
  expect(status).toBe(200);
  const { results } = body as { results: { success: boolean; error?: string; message?: string; receipt_id: string }[] };
  expect(results.map(({ success }) => success)).toEqual([true, ...wrong.map(() => false), true]);
  expect(new Set(results.slice(1, -1).map(({ error }) => error))).toEqual(new Set(['invalid_receipt']));
  expect(results[5]).toMatchObject({ receipt_id: '', message: expect.stringMatching(/^receipt_id: /) });
  expect(results[7]).toMatchObject({ message: expect.stringMatching(/^nfc_cmac: /) });
  expect(results.map(({ receipt_id }) => receipt_id).at(-1)).toBe(good[1]?.receipt_id);
});

describe('a batch of receipts', () => {
  test('with one of each fault returns a result for each in order, and changes nothing when repeated', async () => {
    const ana = randomUUID();
    const full = await openShop(running, { daily_stamp_limit: 1 });
    const spent = await openShop(running, { monthly_stamp_quota: 0, tags: [{ uid: '04000000000004' }] });
    const off = await openShop(running, { enabled: false });
    await full.grant(ana);
    const twice = receipt();
    const good = Array.from({ length: 6 }, () => receipt());
    const batch: [object, object][] = [
      [receipt({ receipt_id: null }), { receipt_id: '', error: 'missing_fields' }],
      [receipt({ receipt_id: 'no-store', store_code: null }), { receipt_id: 'no-store', error: 'missing_fields' }],
      [receipt({ receipt_id: '' }), { error: 'missing_fields' }],
      [receipt({ store_code: 'Nowhere', tap_timestamp: 'never' }), { error: 'store_not_found' }],
      [receipt({ store_code: randomUUID() }), { error: 'store_not_found' }],
      [receipt({ tap_timestamp: 'never' }), { error: 'invalid_timestamp' }],
      [receipt({ tap_timestamp: '2026-05-03T10:59:59.999Z' }), { error: 'receipt_too_old' }],
      [receipt({ tap_timestamp: '2026-05-03T11:00:00Z' }), { success: true, stamp_status: 'approved' }],
      [receipt({ tap_timestamp: '2026-05-10T11:02:00.001Z' }), { error: 'receipt_in_future' }],
      [twice, { success: true, duplicate: false }],
      [twice, { success: true, duplicate: true }],
      [receipt({ store_code: full.storeId }), { error: 'daily_limit' }],
      [receipt({ store_code: spent.storeId, ...fieldsOf(tapOf('04000000000004', 1)) }), { error: 'monthly_limit' }],
      [receipt({ store_code: off.storeId }), { error: 'loyalty_disabled' }],
      ...good.map((each): [object, object] => [each, { success: true, stamp_status: 'approved', duplicate: false }]),
    ];
    const stamps = batch.map(([sent]) => sent);
    expect(stamps).toHaveLength(20);
    const first = await results(ana, ...stamps);
    expect(first).toMatchObject(batch.map(([, expected]) => ('error' in expected ? { success: false, ...expected } : expected)));
    expect(first[9].stamp_id).toBe(first[10].stamp_id);

    const unchanged = await everything();
    const second = await results(ana, ...stamps);
    expect(await everything()).toEqual(unchanged);
    expect(second.map((result: { stamp_id?: string }) => result.stamp_id)).toEqual(
      first.map((result: { stamp_id?: string }) => result.stamp_id),
    );
    for (const result of second) expect(result.duplicate ?? result.error).toBeTruthy();
  });

  test('synced five times at once makes each stamp once', async () => {
    const ana = randomUUID();
    const there = await openShop(running);
    const batch = Array.from({ length: 5 }, () => receipt());
    // Receipts at two stores are serialized by their unique key alone, not by a lock.
    const moved = batch.map((each) => ({ ...each, store_code: there.storeId }));
    const responses = await Promise.all([batch, moved, batch, moved, batch].map((stamps) => results(ana, ...stamps)));
    for (const response of responses) for (const result of response) expect(result.success).toBe(true);
    expect(await rows(ana)).toHaveLength(5);
    expect(new Set(responses.flat().map((result) => result.stamp_id)).size).toBe(5);
  });

  test('of none or more than twenty is refused, as is any batch of a caller other than a customer', async () => {
    const ana = randomUUID();
    const more = Array.from({ length: 21 }, () => receipt());
    for (const stamps of [[], more]) expect((await sync(ana, stamps)).body.error).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await rows(ana)).toEqual([]);
    const asOwner = await shop.post('stamps/sync-offline', { stamps: [receipt()] }, await ownerOf(running, shop.storeId));
    expect(asOwner.status).toBe(403);
  });

  test('with a receipt that fails unexpectedly syncs the others, and that one succeeds when repeated', async () => {
    const taken = randomUUID();
    let remaining = 0;
    const unlucky = await startRunning({ at: noon, newId: () => (remaining > 0 && remaining-- <= 2 ? taken : randomUUID()) });
    try {
      const here = await openShop(unlucky);
      const ana = randomUUID();
      const stamps = [receipt(), receipt(), receipt()].map((each) => ({ ...each, store_code: here.storeId }));
      const send = async () =>
        (await here.post('stamps/sync-offline', { stamps }, await customerToken(unlucky, ana))).body.results.map(
          (result: { error?: string; duplicate?: boolean }) => result.error ?? result.duplicate,
        );
      // The first id is the request's own, then the first two stamps get the same id.
      remaining = 3;
      expect(await send()).toEqual([false, 'internal_error', false]);
      expect(await send()).toEqual([true, false, true]);
    } finally {
      await unlucky[Symbol.asyncDispose]();
    }
  });

  test('belongs to its customer: another customer’s receipt with the same id is another one', async () => {
    const named = { receipt_id: 'tap-1' };
    for (const customer of [randomUUID(), randomUUID()]) {
      expect((await results(customer, receipt(named)))[0]).toMatchObject({ success: true, duplicate: false });
    }
  });
});

describe('the limits of receipts', () => {
  test('apply to the day of the tap by the store’s clock, also on the day the clocks change', async () => {
    running.clock.set('2026-03-31T12:00:00Z');
    const london = await openShop(running, { daily_stamp_limit: 1 });
    const ana = randomUUID();
    const at = (tap_timestamp: string) => receipt({ store_code: london.storeId, tap_timestamp });
    const errors = async (...times: string[]) =>
      (await results(ana, ...times.map(at))).map((result: { error?: string }) => result.error ?? 'stamped');
    // 29 March has 23 hours in London, from 00:00Z to 23:00Z: a stamp at 23:00Z belongs to the next day.
    expect(await errors('2026-03-29T23:00:00Z', '2026-03-29T00:00:00Z', '2026-03-29T22:59:59.999Z')).toEqual([
      'stamped',
      'stamped',
      'daily_limit',
    ]);
    expect(await errors('2026-03-30T22:59:00Z', '2026-03-30T23:00:00Z', '2026-03-28T23:59:59.999Z')).toEqual([
      'daily_limit',
      'stamped',
      'stamped',
    ]);
    // 25 October has 25 hours, from 23:00Z the day before to 24:00Z.
    running.clock.set('2026-10-27T12:00:00Z');
    expect(await errors('2026-10-25T23:59:00Z', '2026-10-24T23:00:00Z', '2026-10-24T22:59:00Z', '2026-10-26T00:00:00Z')).toEqual([
      'stamped',
      'daily_limit',
      'stamped',
      'stamped',
    ]);
  });

  test('count pending stamps toward the day', async () => {
    const strict = await openShop(running, { daily_stamp_limit: 2 });
    const all = await results(randomUUID(), ...Array.from({ length: 3 }, () => receipt({ store_code: strict.storeId })));
    expect(all.map((result: TestResponse['body']) => result.stamp_status ?? result.error)).toEqual(['pending', 'pending', 'daily_limit']);
  });

  test('leave no trace of a refused receipt, which may succeed later with the same tap', async () => {
    const small = await openShop(running, { monthly_stamp_quota: 0, tags: [{ uid: '04000000000005' }] });
    const ana = randomUUID();
    const sent = receipt({ store_code: small.storeId, ...fieldsOf(tapOf('04000000000005', 1)) });
    expect((await results(ana, sent))[0]).toMatchObject({ success: false, error: 'monthly_limit' });
    expect(await small.events(ana)).toEqual([]);
    await running.consume(programmeOf(small.storeId, { monthly_stamp_quota: 1, version: 2, tags: [{ uid: '04000000000005' }] }));
    expect((await results(ana, sent))[0]).toMatchObject({ success: true, stamp_status: 'approved', duplicate: false });
  });

  test('apply to the month also when phones sync at once', async () => {
    const tags = [{ uid: '04000000000006' }];
    const small = await openShop(running, { monthly_stamp_quota: 4, tags });
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        results(randomUUID(), receipt({ store_code: small.storeId, ...fieldsOf(tapOf('04000000000006', n)) })),
      ),
    );
    expect(responses.filter(([result]) => result.success)).toHaveLength(4);
  });
});
