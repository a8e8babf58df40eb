import { columns, type OutboxEntry, outboxInserted, type Queries, type Transaction } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { type LogEntry, logAppended } from '../order/tables/log.ts';
import type { ProviderOutcome } from '../provider/rules.ts';
import { firstCall, firstCallsInserted, type ProviderCall } from '../provider/tables.ts';
import type { RefundSettlement } from './rules.ts';

export const RefundRow = z.object({
  id: z.string(),
  store_id: z.string(),
  payment_order_id: z.string(),
  order_id: z.string(),
  attempt: z.string(),
  amount_pence: z.number(),
  /** The amount that was asked for; null for all that remained. */
  requested_pence: z.number().nullable(),
  reason: z.string(),
  by_name: z.string().nullable(),
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled', 'rejected']),
  provider_refund_id: z.string().nullable(),
  /** Whether the sums of the order include it. */
  counted: z.boolean(),
  /** Whose money pays it: the store's, the platform's, or what an earlier refund had reversed before it failed. */
  borne_by: z.enum(['store', 'reversed', 'platform']),
  /** The part for which the store's transfer is reversed by itself, and how much of it has been. */
  to_reverse_pence: z.number(),
  reversed_pence: z.number(),
});
export type RefundRow = z.output<typeof RefundRow> & {
  /** The attempt at the provider that was stored with it; only of a refund that was just inserted. */
  readonly call?: ProviderCall | null;
};

/** The columns of {@link RefundRow}. */
const refundColumns: FragmentSqlToken = columns(RefundRow);

/** Reads a refund; null when there is none. */
export const findRefund = (queries: Queries, refundId: string): Promise<RefundRow | null> =>
  queries.maybeOne(sql.prepared('find-refund', RefundRow)`select ${refundColumns} from refund where id = ${refundId}`);

/** Reads the refund of an attempt; null when the attempt was not made yet. */
export const findAttempt = (tx: Transaction, orderId: string, attempt: string): Promise<RefundRow | null> =>
  tx.maybeOne(sql.prepared('find-refund-attempt', RefundRow)`
    select ${refundColumns} from refund where payment_order_id = ${orderId} and attempt = ${attempt}`);

/** Reads all refunds of an order. */
export const findRefunds = (queries: Queries, orderId: string): Promise<readonly RefundRow[]> =>
  queries.any(sql.prepared('refunds-of-order', RefundRow)`select ${refundColumns} from refund where payment_order_id = ${orderId}`);

/** Reads refunds that the provider has not settled and that were made before an instant, oldest first. */
export const findOpenRefunds = (queries: Queries, createdBefore: Date): Promise<readonly RefundRow[]> =>
  queries.any(sql.prepared('open-refunds', RefundRow)`
    select ${refundColumns} from refund
    where status in ('pending', 'requires_action') and created_at < ${createdBefore.toISOString()} order by created_at`);

const Sums = z.object({
  reserved_pence: z.number(),
  reserved_of_target_pence: z.number(),
  reversed_pence: z.number(),
  refunds: z.number(),
  window_days: z.number(),
});

/**
 * Reads the sums of a paid order's refunds: pending and accepted ones together, for the whole order and for the target (the
 * order itself or one leg), their number, the pence that were reversed from the store for refunds that then failed, and the store's
 * refund window.
 */
export const sumRefunds = (tx: Transaction, storeId: string, orderId: string, targetId: string): Promise<z.output<typeof Sums>> =>
  tx.one(sql.prepared('sum-refunds', Sums)`
    select coalesce(sum(r.amount_pence) filter (where r.stands), 0)::int as reserved_pence,
      coalesce(sum(r.amount_pence) filter (where r.stands and r.order_id = ${targetId}), 0)::int as reserved_of_target_pence,
      (coalesce(sum(r.amount_pence) filter (where not r.stands and r.borne_by = 'store' and r.provider_refund_id is not null and r.status <> 'rejected'), 0)
        + coalesce(sum(r.reversed_pence), 0)
        - coalesce(sum(r.amount_pence) filter (where r.stands and r.borne_by = 'reversed'), 0))::int as reversed_pence,
      (count(r.id) filter (where r.stands))::int as refunds, s.refund_window_days as window_days
    from store s left join (
      select *, status not in ('failed', 'canceled', 'rejected') as stands from refund where payment_order_id = ${orderId}
    ) r on true
    where s.id = ${storeId}
    group by s.refund_window_days`);

export interface NewRefund {
  readonly storeId: string;
  /** The order the money was paid on, and the order the refund is for: the same, or a leg of it. */
  readonly paymentOrderId: string;
  readonly orderId: string;
  readonly attempt: string;
  /** The provider's key of its first attempt. */
  readonly key: string;
  readonly amountPence: number;
  /** The amount that was asked for; null for all that remained. */
  readonly requestedPence: number | null;
  readonly reason: string;
  readonly byId: string;
  readonly byName: string | null;
  readonly borneBy: 'store' | 'reversed';
  readonly toReversePence: number;
}

/** Inserts a pending refund, with the attempt to have the provider make it, and what is logged with it. */
export async function insertRefund(tx: Transaction, r: NewRefund, ...entries: readonly LogEntry[]): Promise<RefundRow> {
  const id = tx.newId();
  const call = firstCall({ purpose: 'refund', reference: id }, r.key, tx.now);
  const inserted = await tx.one(sql.prepared('insert-refund', RefundRow)`
    with inserted as (
      insert into refund (id, store_id, payment_order_id, order_id, attempt, amount_pence, requested_pence, reason, by_id, by_name, status,
        borne_by, to_reverse_pence, created_at)
      values (${id}, ${r.storeId}, ${r.paymentOrderId}, ${r.orderId}, ${r.attempt}, ${r.amountPence}, ${r.requestedPence}, ${r.reason}, ${r.byId},
        ${r.byName}, 'pending', ${r.borneBy}, ${r.toReversePence}, ${tx.now.toISOString()})
      returning *
    ), call_begun as (${firstCallsInserted([call], sql.fragment`select from inserted`)}),
    logged as (${logAppended(tx.now, entries)})
    select ${refundColumns} from inserted`);
  return { ...inserted, call };
}

/** Inserts a refund made at the provider's dashboard, unless it is stored already, and returns it. The order is locked. */
export const insertForeignRefund = (
  tx: Transaction,
  { id: orderId, store_id }: { readonly id: string; readonly store_id: string },
  provider: { readonly id: string; readonly amountPence: number; readonly reversesTransfer: boolean },
): Promise<RefundRow> =>
  tx.one(sql.prepared('insert-foreign-refund', RefundRow)`
    with inserted as (
      insert into refund (id, store_id, payment_order_id, order_id, attempt, amount_pence, requested_pence, reason, by_id, by_name, status,
        borne_by, provider_refund_id, created_at)
      values (${tx.newId()}, ${store_id}, ${orderId}, ${orderId}, ${`provider:${provider.id}`}, ${provider.amountPence}, ${provider.amountPence},
        'Refunded at the payment provider', 'payment-provider', null, 'pending', ${provider.reversesTransfer ? 'store' : 'platform'},
        ${provider.id}, ${tx.now.toISOString()})
      on conflict (provider_refund_id) do nothing
      returning *
    )
    select ${refundColumns} from inserted
    union all
    select ${refundColumns} from refund where provider_refund_id = ${provider.id}`);

/** Marks a pending refund as rejected by the provider. Returns false when it was no longer pending. */
export const markRejected = async (tx: Transaction, refundId: string): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('reject-refund', z.object({ id: z.string() }))`
    update refund set status = 'rejected', settled_at = ${tx.now.toISOString()} where id = ${refundId} and status = 'pending' returning id`)) !==
  null;

/** Lowers the amount of a pending refund. */
export async function lowerRefund(tx: Transaction, refundId: string, amountPence: number): Promise<void> {
  await tx.query(sql.prepared('lower-refund', z.object({}))`
    update refund set amount_pence = ${amountPence} where id = ${refundId} and status = 'pending'`);
}

/** Makes the platform bear a pending refund, where it covers refunds for the store. Returns whether it does. */
export const coverRefund = async (queries: Queries, refundId: string): Promise<boolean> =>
  (await queries.maybeOne(sql.prepared('cover-refund', z.object({ id: z.string() }))`
    update refund r set borne_by = 'platform' from store s
    where r.id = ${refundId} and r.status = 'pending' and r.borne_by = 'store' and s.id = r.store_id and s.platform_covers_refunds
    returning r.id`)) !== null;

/** Notes that the store's transfer was reversed for a refund's missing part. */
export async function markReversed(tx: Transaction, refundId: string): Promise<void> {
  await tx.query(sql.prepared('mark-reversed', z.object({}))`
    update refund set reversed_pence = to_reverse_pence where id = ${refundId}`);
}

/** Makes the platform bear the missing part of a pending refund, where it covers refunds for the store. Returns whether it does. */
export const coverReversal = async (queries: Queries, refundId: string): Promise<boolean> =>
  (await queries.maybeOne(sql.prepared('cover-reversal', z.object({ id: z.string() }))`
    update refund r set to_reverse_pence = 0 from store s
    where r.id = ${refundId} and r.status = 'pending' and r.reversed_pence = 0 and s.id = r.store_id and s.platform_covers_refunds
    returning r.id`)) !== null;

/**
 * Reads what can still be refunded of each of some orders that one payment paid: of a leg its share, and never more than the payment's
 * rest.
 */
export const findRefundable = (queries: Queries, paymentOrderId: string, orderIds: readonly string[]) =>
  queries.any(sql.prepared('find-refundable', z.object({ id: z.string(), pence: z.number() }))`
    select o.id, least(o.total_pence - case when o.id = p.id then p.reserved else coalesce(own.reserved, 0) end, p.total_pence - p.reserved)::int as pence
    from orders o
    join (
      select m.id, m.total_pence, coalesce(sum(r.amount_pence) filter (where r.status not in ('failed', 'canceled', 'rejected')), 0) as reserved
      from orders m left join refund r on r.payment_order_id = m.id where m.id = ${paymentOrderId} group by m.id, m.total_pence
    ) p on true
    left join lateral (
      select sum(r.amount_pence) as reserved from refund r where r.payment_order_id = p.id and r.order_id = o.id and r.status not in ('failed', 'canceled', 'rejected')
    ) own on true
    where o.id = any(${sql.array([...orderIds], 'uuid')})`);

/** What is written of a refund that the provider has settled. */
export interface SettledRefund {
  readonly refund: RefundRow;
  readonly outcome: ProviderOutcome;
  readonly settlement: RefundSettlement;
  readonly entries: readonly LogEntry[];
  readonly events: readonly OutboxEntry[];
}

/**
 * Writes a settled refund, the money that moved back to the customer (or, of a failed refund, back again), the refunded sums of its locked
 * order and legs, the log and the events. A leg's own sum counts the refunds made for it.
 */
export async function writeSettlement(tx: Transaction, { refund, outcome, settlement, entries, events }: SettledRefund): Promise<void> {
  const { counted, change, refundedPence, fullyRefunded } = settlement;
  const orderId = refund.payment_order_id;
  const added = change === 'added';
  await tx.query(sql.prepared('settle-refund', z.object({}))`
    with settled as (
      update refund set status = ${outcome.status}, provider_refund_id = ${outcome.id}, counted = ${counted}, settled_at = ${tx.now.toISOString()}
      where id = ${refund.id}
    ), call_done as (
      update provider_call c set state = 'done', provider_id = ${outcome.id}, ended_at = ${tx.now.toISOString()}, look_at = null
      where c.purpose = 'refund' and c.reference in (${refund.id}, ${`${refund.id}:platform`}) and c.state in ('requested', 'failed')
        and not exists (select from provider_call later where later.purpose = c.purpose and later.reference = c.reference and later.attempt > c.attempt)
    ), entered as (
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      select ${refund.store_id}, ${orderId}, ${added ? 'refund' : 'refund_failed'}, ${outcome.id},
        ${added ? -refund.amount_pence : refund.amount_pence}, ${tx.now.toISOString()}
      where ${added || change === 'removed'}
    ), logged as (${logAppended(tx.now, entries)}), published as (${outboxInserted(events)})
    update orders o
    set refunded_pence = case when o.parent_order_id is null then ${refundedPence} when ${fullyRefunded} then o.total_pence else own.pence end,
        fully_refunded = ${fullyRefunded} or (o.parent_order_id is not null and o.total_pence > 0 and own.pence >= o.total_pence),
        version = o.version + case when o.parent_order_id is null and ${change !== null} then 1 else 0 end
    from orders f, lateral (
      select coalesce(sum(r.amount_pence) filter (where case when r.id = ${refund.id} then ${counted} else r.counted end), 0)::int as pence
      from refund r where r.order_id = f.id and r.payment_order_id = ${orderId}
    ) own
    where f.id = o.id and (f.id = ${orderId} or f.parent_order_id = ${orderId}) and (o.id = ${orderId} or o.parent_order_id = ${orderId})`);
}
