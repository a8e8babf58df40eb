import type { Operation } from '@corner/chassis';
import { type loyalty, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { readStaffCredential } from '../crypto/read-staff-credential.ts';
import { tapRequired } from '../rules/multi-stamp.ts';
import { findStore } from '../tables/stores.ts';
import { readEarnedVouchers } from '../tables/vouchers.ts';
import { admitStaff } from '../transactions/admit-staff.ts';
import { confirmMultiStamp as confirm } from '../transactions/confirm-multi-stamp.ts';
import { verifyTap } from '../transactions/verify-tap.ts';

/** Confirms a customer's request with a staff credential. Repeated within a minute it returns the first result and uses nothing up. */
export const confirmMultiStamp: Operation<typeof loyalty.confirmMultiStamp, Context> = async ({ body, caller, header }, context) => {
  const credential = await readStaffCredential({ ...body, header: header('x-staff-token') }, context.verifyToken);
  return await context.database.transaction(async (tx) => {
    const store = await findStore(tx, body.store_code);
    if (!store) throw new Problem('STORE_NOT_FOUND');
    const staffId = await admitStaff(tx, store.id, credential);
    const nfcEnforced = tapRequired(store, credential.kind);
    const tap = await verifyTap(tx, { id: store.id, nfcEnforced }, body, context.nfcKeys);
    const { stamps, stampCount, goal, voucherIds, replayed } = await confirm(tx, {
      storeId: store.id,
      customerId: caller.id,
      requestId: body.request_id ?? null,
      staffId,
      reason: `staff_${credential.kind}`,
      tap,
    });
    const { logo_url: store_logo_url, ...design } = store.branding;
    return {
      action: 'confirmed',
      stamps_created: stamps,
      current_stamps: stampCount,
      goal,
      vouchers_earned: voucherIds.length,
      voucher_earned: voucherIds.length > 0,
      voucher_results: voucherIds.length > 0 ? [...(await readEarnedVouchers(tx, store.id, voucherIds))] : [],
      store_name: store.name,
      store_code: store.code,
      store_logo_url,
      ...design,
      idempotent: replayed,
    };
  });
};
