import { insertEventsSql, NoColumns, type OutboxEntry, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

export async function insertDeposit(tx: Transaction, { bookingId, itemId, payBefore }: NewDeposit): Promise<void> {
  await tx.query(sql.prepared('insert-deposit', NoColumns)`
    insert into deposit (booking_id, item_id, pay_before) values (${bookingId}, ${itemId}, ${new Date(payBefore).toISOString()})`);
}

interface NewDeposit {
  readonly bookingId: string;
  readonly itemId: string;
  /** Epoch milliseconds. */
  readonly payBefore: number;
}

export async function markDepositPaid(tx: Transaction, bookingId: string, orderId: string): Promise<void> {
  await tx.query(sql.prepared('mark-deposit-paid', NoColumns)`
    update deposit set state = 'paid', order_id = ${orderId} where booking_id = ${bookingId} and coalesce(state, '') = 'due'`);
}

const Ended = z.object({ order_id: z.string().nullable() });

/** A deposit that is due is no more, and one that was paid is to go back: returns its order, and null for any other. */
export const endDeposit = async (tx: Transaction, bookingId: string): Promise<string | null> =>
  (
    await tx.maybeOne(sql.prepared('end-deposit', Ended)`
      update deposit set state = case state when 'due' then 'unpaid' else 'refunding' end
      where booking_id = ${bookingId} and state in ('due', 'paid') returning order_id`)
  )?.order_id ?? null;

/** A replayed payment asks for no second refund. */
export async function publishOnce(tx: Transaction, entry: OutboxEntry, orderId: string): Promise<void> {
  const isNew = sql.fragment`where not exists (select from outbox o where o.aggregate_id = ${orderId} and o.type = 'deposit.returned')`;
  await tx.query(sql.prepared('publish-deposit-returned', NoColumns)`${insertEventsSql(tx, [entry], isNew)}`);
}

/** Notes that an order was refunded in full, or that this refund failed, so that the store has the money again. */
export async function noteRefund(tx: Transaction, orderId: string, state: 'refunded' | 'paid'): Promise<void> {
  await tx.query(sql.prepared('note-deposit-refund', NoColumns)`update deposit set state = ${state} where order_id = ${orderId}`);
}

const Overdue = z.object({ store_id: z.string(), id: z.string() });

/** Bookings whose deposit was not paid in time. */
export const findOverdueDeposits = (queries: Queries, now: Date): Promise<readonly z.output<typeof Overdue>[]> =>
  queries.any(sql.prepared('overdue-deposits', Overdue)`
    select b.store_id, b.id from deposit d join session_booking b on b.id = d.booking_id
    where d.state = 'due' and d.pay_before <= ${now.toISOString()}::timestamptz`);
