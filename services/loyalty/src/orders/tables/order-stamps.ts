import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { awardOrder } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const OrderStamps = z.object({
  /** Null while the order is not awarded yet. */
  award: awardOrder.output.nullable(),
  lost: z.boolean(),
  stamps: z.array(z.object({ given_at: z.string(), taken_back_at: z.string().nullable() })),
  voucher: z.object({ reward_title: z.string().nullable(), returned: z.boolean() }).nullable(),
});

export interface OrderOfCustomer {
  readonly orderId: string;
  readonly customerId: string;
  readonly voucherId: string | null;
}

/**
 * Reads an order's effect on its customer's card: its stamps as they are now, and the voucher that it used. Nothing for another customer's
 * order.
 */
export const readOrderStamps = (
  queries: Queries,
  { orderId, customerId, voucherId }: OrderOfCustomer,
): Promise<z.output<typeof OrderStamps>> =>
  queries.one(sql.prepared('read-order-stamps', OrderStamps)`
    select l.award, coalesce(l.lost, false) as lost,
      (select coalesce(jsonb_agg(jsonb_build_object('given_at', ${instantOf(sql.fragment`s.created_at`)},
          'taken_back_at', case when s.status = 'reversed' then ${instantOf(sql.fragment`coalesce(s.ended_at, s.created_at)`)} end) order by s.ordinal), '[]')
        from stamp s where s.order_id = ${orderId} and s.customer_id = ${customerId} and s.status in ('approved', 'reversed')) as stamps,
      (select jsonb_build_object('reward_title', v.reward_title, 'returned', coalesce(v.restored_from_order = ${orderId}, false))
        from voucher v where v.id = ${voucherId} and v.customer_id = ${customerId}) as voucher
    from (select) one left join order_ledger l on l.order_id = ${orderId} and l.customer_id = ${customerId} and l.paid`);

const tapAndSale = 'tap_and_sale';

/**
 * Makes the stamp of a tap the first one of its order, so that a refund takes it back too. One that was taken back meanwhile stays as it
 * is. The card is locked.
 */
export async function attachTap(
  tx: Transaction,
  { orderId, customerId, stampId }: { readonly orderId: string; readonly customerId: string; readonly stampId: string },
): Promise<void> {
  await tx.query(sql.prepared('attach-tap', NoColumns)`
    update stamp set order_id = ${orderId}, ordinal = 1, approval_reason = ${tapAndSale}
    where id = ${stampId} and customer_id = ${customerId} and order_id is null and status = 'approved'`);
}
