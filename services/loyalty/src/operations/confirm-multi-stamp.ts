import type { Operation, Queries } from '@corner/chassis';
import { type loyalty, Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { readStaffCredential } from '../staff-credential.ts';
import { instant } from '../tables/cards.ts';
import { confirmRequest } from '../tables/confirm-request.ts';
import { admitStaff } from '../tables/staff.ts';
import { findStore } from '../tables/stores.ts';
import { provedTap } from '../tables/taps.ts';

/**
 * Confirms a request: its stamps, the vouchers they complete and the use of the tap come at once or not at all. Sent again within
 * a minute it answers what it came to, and uses up nothing.
 */
export const confirmMultiStamp: Operation<typeof loyalty.confirmMultiStamp, Context> = async ({ body, caller, header }, context) => {
  const credential = await readStaffCredential({ ...body, header: header('x-staff-token') }, context.verifyToken);
  return await context.database.transaction(async (tx) => {
    const at = context.now();
    const store = await findStore(tx, body.store_code);
    if (!store) throw new Problem('STORE_NOT_FOUND');
    const staffId = await admitStaff(tx, store.id, credential);
    const tap = await provedTap(tx, store, body, context.nfcKeys);
    const confirming = {
      storeId: store.id,
      customerId: caller.id,
      requestId: body.request_id ?? null,
      staffId,
      reason: `staff_${credential.kind}`,
      tap,
    };
    const { stamps, stampCount, goal, voucherIds, before } = await confirmRequest(tx, confirming, at, context.newId);
    const { logo_url: store_logo_url, ...look } = store.branding;
    return {
      action: 'confirmed',
      stamps_created: stamps,
      current_stamps: stampCount,
      goal,
      vouchers_earned: voucherIds.length,
      voucher_earned: voucherIds.length > 0,
      voucher_results: voucherIds.length > 0 ? [...(await vouchersOf(tx, voucherIds))] : [],
      store_name: store.name,
      store_code: store.code,
      store_logo_url,
      ...look,
      idempotent: before,
    };
  });
};

const Earned = z.object({
  voucher_id: z.string(),
  voucher_code: z.string(),
  reward_title: z.string().nullable(),
  expires_at: z.string(),
});

const vouchersOf = (queries: Queries, ids: readonly string[]) =>
  queries.any(sql.prepared('vouchers-earned', Earned)`
    select id as voucher_id, code as voucher_code, reward_title, ${instant(sql.fragment`expires_at`)} as expires_at
    from voucher where id = any(${sql.array([...ids], 'uuid')}) order by id`);
