import type { Queries } from '@corner/chassis';
import { type DataOf, Problem, type paymentDisputed } from '@corner/contracts';
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

/** Enters whether an order's payment is disputed, in whatever order the events come, and before the order itself if need be. */
export async function noteDispute(tx: Queries, disputed: DataOf<typeof paymentDisputed>, sequence: number): Promise<void> {
  await tx.query(sql.prepared('note-dispute', z.object({}))`
    insert into order_ledger (order_id, store_id, customer_id, disputed, dispute_sequence)
    values (${disputed.order_id}, ${disputed.store_id}, ${disputed.customer_id}, ${disputed.open}, ${sequence})
    on conflict (order_id) do update set disputed = excluded.disputed, dispute_sequence = excluded.dispute_sequence
    where order_ledger.dispute_sequence < excluded.dispute_sequence`);
}

/** Whether `voucher` stands on a stamp of an order whose payment is disputed: it is held until that is over. */
export const heldByDispute = sql.fragment`exists (
  select from stamp s join order_ledger l on l.order_id = s.order_id where s.voucher_id = voucher.id and l.disputed)`;

const State = z.object({ status: z.enum(['active', 'reserved', 'redeemed', 'expired', 'voided']), held: z.boolean() });

/** An active one that is refused is held, or past its day. */
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
  at: Date,
): Promise<Problem> {
  const state = await queries.maybeOne(sql.prepared('why-not-usable', State)`
    select status, expires_at > ${at.toISOString()} and ${heldByDispute} as held from voucher where id = ${voucher_id} and store_id = ${store_id} and customer_id = ${customer_id}`);
  if (state?.status === 'active' && state.held)
    return new Problem('VOUCHER_RESERVED', { message: 'The payment behind this voucher is disputed.' });
  return new Problem(state ? refusals[state.status] : 'VOUCHER_NOT_FOUND');
}
