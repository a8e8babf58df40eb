import type { Transaction } from '@corner/chassis';
import { awardOrder, type RpcInput, type RpcOutput } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const none = z.object({});

const Entry = z.object({ paid: z.boolean(), reversed: z.boolean(), award: awardOrder.output.nullable() });

/** Reads what is recorded of an order; `reversed` after a full refund or a lost dispute. Null before its first event. */
export const findLedgerEntry = async (tx: Transaction, orderId: string): Promise<z.output<typeof Entry> | null> =>
  await tx.maybeOne(sql.prepared('order-in-ledger', Entry)`
    select paid, reversed or lost as reversed, award from order_ledger where order_id = ${orderId}`);

/** Records a paid order with its award, and counts it as a visit of its card. The card is locked. */
export async function enterPaidOrder(
  tx: Transaction,
  order: RpcInput<typeof awardOrder>,
  award: RpcOutput<typeof awardOrder>,
): Promise<void> {
  await tx.query(sql.prepared('enter-paid-order', none)`
    with entered as (
      insert into order_ledger (order_id, store_id, customer_id, paid, paid_pence, awarded, award)
      values (${order.order_id}, ${order.store_id}, ${order.customer_id}, true, ${order.total_pence}, ${award.awarded}, ${sql.jsonb(award)})
      on conflict (order_id) do update
      set paid = true, paid_pence = excluded.paid_pence, awarded = excluded.awarded, award = excluded.award
    )
    update card set order_count = order_count + 1, last_visit_at = greatest(last_visit_at, ${order.paid_at}::timestamptz),
      customer_since = least(customer_since, ${order.paid_at}::timestamptz)
    where store_id = ${order.store_id} and customer_id = ${order.customer_id}`);
}

/** An order's refunds, as one event reports them. */
export interface Refunds {
  readonly order_id: string;
  readonly store_id: string;
  readonly customer_id: string;
  readonly cumulative_pence: number;
  /** Whether that is everything that was paid. */
  readonly full: boolean;
}

/** Whether an order's stamps are to be taken back after a change, and whether they were before it. */
export const enteredReversal = z.object({ reversed: z.boolean(), earlier: z.boolean() });
export type Entered = z.output<typeof enteredReversal>;
/** Returns an {@link Entered} from an upsert of the ledger: a full refund and a lost dispute each take the stamps back. */
export const reversalChange = sql.fragment`reversed or lost as reversed, coalesce(old.reversed or old.lost, false) as earlier`;

/**
 * Records an order's refunds; the event with the highest sequence wins, whatever the order of arrival. Returns whether the order's
 * stamps are to be taken back, and whether they were before. The card is locked.
 */
export async function enterRefunds(tx: Transaction, refunds: Refunds, sequence: number): Promise<Entered> {
  const newer = sql.fragment`excluded.refund_sequence > order_ledger.refund_sequence`;
  return await tx.one(sql.prepared('enter-refunds', enteredReversal)`
    insert into order_ledger (order_id, store_id, customer_id, refunded_pence, reversed, refund_sequence)
    values (${refunds.order_id}, ${refunds.store_id}, ${refunds.customer_id}, ${refunds.cumulative_pence}, ${refunds.full}, ${sequence})
    on conflict (order_id) do update
    set refunded_pence = case when ${newer} then excluded.refunded_pence else order_ledger.refunded_pence end,
        reversed = case when ${newer} then excluded.reversed else order_ledger.reversed end,
        refund_sequence = greatest(order_ledger.refund_sequence, excluded.refund_sequence)
    returning ${reversalChange}`);
}
