import type { Queries } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** Frees a voucher that this order, and no other, has reserved. Answers whether it did. */
export async function releaseReserved(
  queries: Pick<Queries, 'maybeOne'>,
  storeId: string,
  voucherId: string,
  orderId: string,
): Promise<boolean> {
  const freed = await queries.maybeOne(sql.prepared('release-voucher', z.object({ id: z.string() }))`
    update voucher set status = 'active', reserved_by = null, reserved_until = null
    where id = ${voucherId} and store_id = ${storeId} and status = 'reserved' and reserved_by = ${orderId}
    returning id`);
  return freed !== null;
}

const State = z.object({ status: z.enum(['active', 'reserved', 'redeemed', 'expired', 'voided']) });

/** An active one that is refused can only be past its day. */
const refusals = {
  active: 'VOUCHER_EXPIRED',
  reserved: 'VOUCHER_RESERVED',
  redeemed: 'VOUCHER_ALREADY_REDEEMED',
  expired: 'VOUCHER_EXPIRED',
  voided: 'VOUCHER_VOIDED',
} as const;

/** Why this customer cannot use this voucher at this store. Somebody else's is as good as none. */
export async function whyNotUsable(
  queries: Pick<Queries, 'maybeOne'>,
  { voucher_id, store_id, customer_id }: { readonly voucher_id: string; readonly store_id: string; readonly customer_id: string },
): Promise<Problem> {
  const state = await queries.maybeOne(sql.prepared('why-not-usable', State)`
    select status from voucher where id = ${voucher_id} and store_id = ${store_id} and customer_id = ${customer_id}`);
  return new Problem(state ? refusals[state.status] : 'VOUCHER_NOT_FOUND');
}
