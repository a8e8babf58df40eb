import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CardKey } from './cards.ts';
import { Voucher } from './vouchers.ts';

const Restored = Voucher.extend({ status: z.enum(['active', 'expired']) });

/** Makes the voucher an order redeemed active again, or expired where its last day is past. Null when the order redeemed none. The card is locked. */
export const restoreVoucher = async (
  tx: Transaction,
  { storeId, customerId }: CardKey,
  orderId: string,
): Promise<z.output<typeof Restored> | null> =>
  await tx.maybeOne(sql.prepared('restore-voucher', Restored)`
    update voucher
    set status = case when expires_at > ${tx.now.toISOString()} then 'active' else 'expired' end,
        redeemed_by_order = null, redeemed_at = null, reserved_by_order = null, restored_from_order = ${orderId}
    where redeemed_by_order = ${orderId} and store_id = ${storeId} and customer_id = ${customerId} and status = 'redeemed'
    returning id, code, reward_title, status`);

/**
 * Redeems the voucher that was restored from an order for that order again. Null when the order used none, or when the restored voucher is
 * reserved or used by now. The card is locked.
 */
export const redeemRestored = async (tx: Transaction, { storeId, customerId }: CardKey, orderId: string): Promise<Voucher | null> =>
  await tx.maybeOne(sql.prepared('redeem-restored-voucher', Voucher)`
    update voucher
    set status = 'redeemed', redeemed_by_order = ${orderId}, redeemed_at = ${tx.now.toISOString()}, restored_from_order = null
    where restored_from_order = ${orderId} and store_id = ${storeId} and customer_id = ${customerId} and status in ('active', 'expired')
    returning id, code, reward_title`);

/** Frees the voucher of an order that was refunded before it was known to be paid, as if the refund had restored it. The card is locked. */
export async function freeAsRestored(tx: Transaction, { storeId, customerId }: CardKey, { voucherId, orderId }: Freed): Promise<void> {
  await tx.query(sql.prepared('free-as-restored', z.object({}))`
    update voucher
    set status = case when status = 'reserved' then 'active' else status end, reserved_by_order = null, reserved_until = null,
        restored_from_order = ${orderId}
    where id = ${voucherId} and store_id = ${storeId} and customer_id = ${customerId}
      and (status = 'reserved' and reserved_by_order = ${orderId} or status in ('active', 'expired'))`);
}

interface Freed {
  readonly voucherId: string;
  readonly orderId: string;
}
