import { columns, insertEventsSql, NoColumns, type OutboxEntry, type Queries, type Transaction } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { appendLogSql, type LogEntry } from '../order/tables/log.ts';
import type { ProviderOutcome } from '../provider/rules.ts';
import { firstCall, type ProviderCall, refundReferences } from '../provider/tables.ts';
import type { RefundedLine } from './rules/amounts.ts';
import type { OutcomeChange } from './rules/outcomes.ts';

export const RefundRow = z.object({
  id: z.string(),
  store_id: z.string(),
  payment_order_id: z.string(),
  order_id: z.string(),
  attempt: z.string(),
  amount_pence: z.number(),
  requested_pence: z.number().nullable(),
  reason: z.string(),
  by_name: z.string().nullable(),
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled', 'rejected']),
  provider_refund_id: z.string().nullable(),
  counted: z.boolean(),
  /** Whose money pays it: the store's, the platform's, or the reversal of an earlier failed refund. */
  borne_by: z.enum(['store', 'reversed', 'platform']),
  /** The part for which the store's transfer is reversed separately, and how much of it has been. */
  to_reverse_pence: z.number(),
  reversed_pence: z.number(),
  credit_note: z.number().nullable(),
  lines: z.array(z.object({ position: z.number(), quantity: z.number(), amount_pence: z.number(), restock: z.boolean() })),
});
export type RefundRow = z.output<typeof RefundRow> & {
  /** Its first attempt at the provider, to avoid reading it again; set only when it was just inserted. */
  readonly call?: ProviderCall | null;
};

const lines = sql.fragment`coalesce((
  select jsonb_agg(jsonb_build_object('position', l.position, 'quantity', l.quantity, 'amount_pence', l.amount_pence, 'restock', l.restock)
    order by l.position)
  from refund_line l where l.refund_id = r.id), '[]')`;

const refundColumns: FragmentSqlToken = columns(RefundRow, { alias: 'r', overrides: { lines } });

export const findRefund = (queries: Queries, refundId: string): Promise<RefundRow | null> =>
  queries.maybeOne(sql.prepared('find-refund', RefundRow)`select ${refundColumns} from refund r where id = ${refundId}`);

export const findRefunds = (queries: Queries, orderId: string): Promise<readonly RefundRow[]> =>
  queries.any(sql.prepared('refunds-of-order', RefundRow)`select ${refundColumns} from refund r where payment_order_id = ${orderId}`);

export const findOpenRefunds = (queries: Queries, createdBefore: Date, mode: ProviderMode): Promise<readonly RefundRow[]> =>
  queries.any(sql.prepared('open-refunds', RefundRow)`
    select ${refundColumns} from refund r
    where status in ('pending', 'requires_action') and created_at < ${createdBefore.toISOString()}
      and (select coalesce(o.payment_mode, ${mode}) from orders o where o.id = r.payment_order_id) = ${mode}
    order by created_at`);

const RefundTerms = z.object({ windowDays: z.number(), staffLimitPence: z.number().nullable() });

/** Reads how many days after payment a store refunds, and how much of an order staff may refund; null for any amount. */
export const findRefundTerms = (tx: Transaction, storeId: string): Promise<z.output<typeof RefundTerms>> =>
  tx.one(sql.prepared('find-refund-terms', RefundTerms)`
    select refund_window_days as "windowDays", staff_refund_limit_pence as "staffLimitPence" from store where id = ${storeId}`);

export interface NewRefund {
  readonly storeId: string;
  /** The paid order; `orderId` is the order to refund: the same, or a leg of it. */
  readonly paymentOrderId: string;
  readonly orderId: string;
  readonly attempt: string;
  readonly key: string;
  readonly amountPence: number;
  readonly requestedPence: number | null;
  readonly lines: readonly RefundedLine[];
  readonly reason: string;
  readonly byId: string;
  readonly byName: string | null;
  readonly borneBy: 'store' | 'reversed';
  readonly toReversePence: number;
}

/** Inserts a pending refund with its lines, which count as refunded from now on, its provider attempt and its log entry. */
export async function insertRefund(tx: Transaction, r: NewRefund, entry: LogEntry): Promise<RefundRow> {
  const id = tx.newId();
  const call = firstCall({ purpose: 'refund', reference: id }, r.key, tx.now);
  const inserted = await tx.one(sql.prepared('insert-refund', RefundRow)`
    with inserted as (
      insert into refund (id, store_id, payment_order_id, order_id, attempt, amount_pence, requested_pence, reason, by_id, by_name, status,
        borne_by, to_reverse_pence, created_at)
      values (${id}, ${r.storeId}, ${r.paymentOrderId}, ${r.orderId}, ${r.attempt}, ${r.amountPence}, ${r.requestedPence}, ${r.reason}, ${r.byId},
        ${r.byName}, 'pending', ${r.borneBy}, ${r.toReversePence}, ${tx.now.toISOString()})
      returning *
    ), call_begun as (
      insert into provider_call (purpose, reference, attempt, idempotency_key, state, created_at)
      values (${call.purpose}, ${call.reference}, ${call.attempt}, ${call.idempotency_key}, ${call.state}, ${call.created_at})
    ), line as (
      select * from jsonb_populate_recordset(null::refund_line, ${sql.jsonb(r.lines)})
    ), lines_inserted as (
      insert into refund_line (refund_id, order_id, position, quantity, amount_pence, restock)
      select ${id}, ${r.orderId}, position, quantity, amount_pence, restock from line
    ), lines_counted as (
      update order_line l set refunded = l.refunded + line.quantity from line where l.order_id = ${r.orderId} and l.position = line.position
    ), logged as (${appendLogSql(tx.now, [entry])})
    select ${refundColumns} from inserted r`);
  return { ...inserted, lines: [...r.lines], call };
}

export const insertDashboardRefund = (
  tx: Transaction,
  { id: orderId, store_id }: { readonly id: string; readonly store_id: string },
  provider: { readonly id: string; readonly amountPence: number; readonly reversesTransfer: boolean },
): Promise<RefundRow> =>
  tx.one(sql.prepared('insert-dashboard-refund', RefundRow)`
    insert into refund as r (id, store_id, payment_order_id, order_id, attempt, amount_pence, requested_pence, reason, by_id, by_name, status,
      borne_by, provider_refund_id, created_at)
    values (${tx.newId()}, ${store_id}, ${orderId}, ${orderId}, ${`provider:${provider.id}`}, ${provider.amountPence}, ${provider.amountPence},
      'Refunded at the payment provider', 'payment-provider', null, 'pending', ${provider.reversesTransfer ? 'store' : 'platform'},
      ${provider.id}, ${tx.now.toISOString()})
    returning ${refundColumns}`);

/**
 * Marks a pending refund as rejected by the provider, so that its lines can be refunded again; `announced` increments its order's version
 * for an event. Returns false when the refund was no longer pending.
 */
export const markRejected = async (tx: Transaction, refund: RefundRow, announced: boolean): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('reject-refund', z.object({ id: z.string() }))`
    with rejected as (
      update refund set status = 'rejected', settled_at = ${tx.now.toISOString()} where id = ${refund.id} and coalesce(status, '') = 'pending' returning id
    ), lines_freed as (
      update order_line l set refunded = l.refunded - n.quantity
      from rejected join refund_line n on n.refund_id = rejected.id where l.order_id = n.order_id and l.position = n.position
    ), raised as (
      update orders set version = version + 1 where ${announced} and id = ${refund.payment_order_id} and exists (select from rejected)
    )
    select id from rejected`)) !== null;

export async function lowerRefund(tx: Transaction, refundId: string, amountPence: number): Promise<void> {
  await tx.query(sql.prepared('lower-refund', NoColumns)`
    update refund set amount_pence = ${amountPence} where id = ${refundId} and coalesce(status, '') = 'pending'`);
}

/** Makes the platform bear a pending refund. Returns false where it does not cover refunds for the store. */
export const coverRefund = async (queries: Queries, refundId: string): Promise<boolean> =>
  (await queries.maybeOne(sql.prepared('cover-refund', z.object({ id: z.string() }))`
    update refund r set borne_by = 'platform' from store s
    where r.id = ${refundId} and coalesce(r.status, '') = 'pending' and r.borne_by = 'store' and s.id = r.store_id and s.platform_covers_refunds
    returning r.id`)) !== null;

export async function markReversed(tx: Transaction, refundId: string): Promise<void> {
  await tx.query(sql.prepared('mark-reversed', NoColumns)`
    update refund set reversed_pence = to_reverse_pence where id = ${refundId}`);
}

export const coverReversal = async (queries: Queries, refundId: string): Promise<boolean> =>
  (await queries.maybeOne(sql.prepared('cover-reversal', z.object({ id: z.string() }))`
    update refund r set to_reverse_pence = 0 from store s
    where r.id = ${refundId} and coalesce(r.status, '') = 'pending' and r.reversed_pence = 0 and s.id = r.store_id and s.platform_covers_refunds
    returning r.id`)) !== null;

interface Movement {
  readonly kind: 'refund' | 'refund_failed';
  readonly provider_ref: string;
  readonly amount_pence: number;
  readonly tender: string | null;
  readonly drawer_id: string | null;
}

export interface RecordedOutcome {
  readonly refund: RefundRow;
  readonly outcome: ProviderOutcome;
  readonly change: OutcomeChange;
  /** Money that moved to the customer, negative, or back again: for a counter sale one movement for each tender. */
  readonly movements: readonly Movement[];
  readonly creditNote: number | null;
  readonly lines: readonly { readonly position: number; readonly refunded: number }[];
  readonly entries: readonly LogEntry[];
  readonly events: readonly OutboxEntry[];
}

/**
 * Writes the outcome of a refund in one round trip: the refund, its attempt at the provider as done, the ledger, its lines, the log, the
 * events, and the sums of the order and its legs. If the provider made a rejected refund after all, a line may have more refunded units
 * than were bought. The caller holds the lock of the order's family, so none of these rows changes meanwhile.
 */
export async function writeRefundOutcome(tx: Transaction, written: RecordedOutcome): Promise<void> {
  const { refund, outcome, change, movements, creditNote, lines, entries, events } = written;
  const now = tx.now.toISOString();
  const orders = [change.main, ...change.legs];
  const ids = sql.array(
    orders.map(({ id }) => id),
    'uuid',
  );
  await tx.query(sql.prepared('write-refund-outcome', NoColumns)`
    with recorded as (
      update refund set status = ${outcome.status}, provider_refund_id = ${outcome.id}, counted = ${change.counted}, settled_at = ${now},
        credit_note = ${creditNote}::integer, credited_at = case when ${creditNote !== null} then coalesce(credited_at, ${now}) end
      where id = ${refund.id}
    ), call_done as (
      update provider_call c set state = 'done', provider_id = ${outcome.id}, ended_at = ${now}, look_at = null
      where c.purpose = 'refund' and c.reference = any(${sql.array(refundReferences(refund.id), 'text')}) and c.state in ('requested', 'failed')
        and not exists (select from provider_call later where later.purpose = c.purpose and later.reference = c.reference and later.attempt > c.attempt)
    ), entered as (
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at, tender, drawer_id, by_id)
      select ${refund.store_id}, ${refund.payment_order_id}, m.kind, m.provider_ref, m.amount_pence, ${now}, m.tender, m.drawer_id,
        case when m.tender is not null then (select by_id from refund where id = ${refund.id}) end
      from jsonb_populate_recordset(null::ledger, ${sql.jsonb(movements)}) m
    ), lines_counted as (
      update order_line l set refunded = least(l.quantity, n.refunded)
      from jsonb_to_recordset(${sql.jsonb(lines)}) as n(position integer, refunded integer)
      where l.order_id = ${refund.order_id} and l.position = n.position and l.refunded <> least(l.quantity, n.refunded)
    ), logged as (${appendLogSql(tx.now, entries)}), published as (${insertEventsSql(tx, events)})
    update orders o
    set refunded_pence = n.refunded_pence, fully_refunded = n.fully_refunded, version = n.version
    from jsonb_populate_recordset(null::orders, ${sql.jsonb(orders)}) n
    where o.id = n.id and o.id = any(${ids}) and o.store_id = ${refund.store_id}`);
}
