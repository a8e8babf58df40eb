import { instantOf, type Queries } from '@corner/chassis';
import { orderChannels, tenderKinds } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { storeEntriesSql } from '../../money/index.ts';
import { VatParts } from '../../receipts/index.ts';
import type { OpenRows } from '../rules/sum-day.ts';
import type { OpenSpan } from './closed-days.ts';

/**
 * The span as `store_day`: from midnight of its first day, or the end of the last closed day, to midnight after its last one. Its rows
 * belong to their day in the store's time zone, and to the first day at the earliest: a changed time zone moves nothing to a closed day.
 */
const spanSql = ({ storeId, closed, from, to }: OpenSpan): FragmentSqlToken => sql.fragment`store_day as (
    select s.id, s.time_zone, greatest(${from}::date, ${closed?.day ?? null}::date + 1) as first_day,
      case when ${from}::date <= ${closed?.day ?? null}::date + 1 then ${closed?.ends_at ?? null}::timestamptz
        else greatest(${from}::date::timestamp at time zone s.time_zone, ${closed?.ends_at ?? null}::timestamptz) end as begins,
      (${to}::date + 1)::timestamp at time zone s.time_zone as ends
    from store s where s.id = ${storeId}
  )`;

/** The ledger's rows of the span, of every kind. They are found by store and time alone: its other indexes cover all stores. */
const spanRowsSql = sql.fragment`span_rows as materialized (
    select l.* from store_day s join ledger l on l.store_id = s.id and l.at >= s.begins and l.at < s.ends
  )`;

const dayOf = (at: FragmentSqlToken): FragmentSqlToken => sql.fragment`greatest((${at} at time zone s.time_zone)::date, s.first_day)`;

const LedgerSumsRow = z.object({
  day: z.string(),
  gross_pence: z.number(),
  refund_count: z.number(),
  refunded_pence: z.number(),
  store_refunds_pence: z.number(),
  platform_fees_pence: z.number(),
  provider_fees_pence: z.number(),
  known_payments: z.number(),
  unknown_payments: z.number(),
  disputes_opened: z.number(),
  withdrawn_pence: z.number(),
  returned_pence: z.number(),
  dispute_fees_pence: z.number(),
  dispute_shares_pence: z.number(),
  takings: z.array(
    z.object({
      channel: z.enum(orderChannels),
      tender: z.enum(tenderKinds),
      payments: z.number(),
      amount_pence: z.number(),
      refunded_pence: z.number(),
    }),
  ),
});

const SoldRow = z.object({
  day: z.string(),
  at: z.string(),
  order_id: z.string(),
  order_number: z.string(),
  state: z.enum(['open', 'fulfilled', 'cancelled']),
  subtotal_pence: z.number(),
  promo_pence: z.number(),
  voucher_pence: z.number(),
  with_voucher: z.boolean(),
  tip_pence: z.number(),
  lines: z.array(
    z.object({
      name: z.string(),
      quantity: z.number(),
      vat_rate_bps: z.number().nullable(),
      vat_parts: VatParts,
      unit_price_pence: z.number(),
    }),
  ),
});

const CreditedRow = z.object({
  id: z.string(),
  order_number: z.string(),
  discount_pence: z.number(),
  lines: z.array(
    z.object({
      order_id: z.string(),
      quantity: z.number(),
      vat_rate_bps: z.number().nullable(),
      vat_parts: VatParts,
      unit_price_pence: z.number(),
    }),
  ),
  refunds: z.array(
    z.object({
      order_id: z.string(),
      amount_pence: z.number(),
      accepted_at: z.string(),
      failed_at: z.string().nullable(),
      accepted_day: z.string().nullable(),
      failed_day: z.string().nullable(),
      lines: z.array(z.object({ vat_rate_bps: z.number().nullable(), vat_parts: VatParts, sum_pence: z.number() })),
    }),
  ),
});

const Open = z.object({ ledger: z.array(LedgerSumsRow), sold: z.array(SoldRow), credited: z.array(CreditedRow) });

/** Sums the ledger by day, on the store's side (as a day of money does) and on the customers'. Days without a row are absent. */
const ledgerSql = sql.fragment`kept as (
      select ${dayOf(sql.fragment`e.at`)} as day,
        coalesce(sum(e.amount) filter (where e.kind = 'charge'), 0)::int as gross_pence,
        coalesce(-sum(e.amount) filter (where e.kind in ('refund', 'transfer_reversal') and e.share_of is null), 0)::int as store_refunds_pence,
        coalesce(sum(e.fee), 0)::int as platform_fees_pence,
        coalesce(-sum(e.amount) filter (where e.share_of is not null or e.kind = 'transfer'), 0)::int as dispute_shares_pence
      from entry e cross join store_day s group by 1
    ), moves as (
      select ${dayOf(sql.fragment`l.at`)} as day,
        count(*) filter (where l.kind = 'refund' and (l.tender is null or l.provider_ref not like '%:%'))::int as refund_count,
        coalesce(-sum(l.amount_pence) filter (where l.kind in ('refund', 'refund_failed')), 0)::int as refunded_pence,
        coalesce(sum(l.provider_fee_pence) filter (where l.kind = 'charge'), 0)::int as provider_fees_pence,
        count(*) filter (where l.kind = 'charge' and (l.provider_fee_pence is not null or l.provider_ref like 'free:%' or l.tender is not null))::int as known_payments,
        count(*) filter (where l.kind = 'charge' and l.provider_fee_pence is null and l.provider_ref not like 'free:%' and l.tender is null)::int as unknown_payments,
        count(*) filter (where l.kind = 'dispute')::int as disputes_opened,
        coalesce(-sum(l.amount_pence) filter (where l.kind = 'dispute' and l.currency is null), 0)::int as withdrawn_pence,
        coalesce(sum(l.amount_pence) filter (where l.kind = 'dispute_returned' and l.currency is null), 0)::int as returned_pence,
        coalesce(-sum(l.amount_pence) filter (where l.kind = 'dispute_fee' and l.currency is null), 0)::int as dispute_fees_pence
      from span_rows l cross join store_day s group by 1
    ), paid_with as (
      select ${dayOf(sql.fragment`l.at`)} as day, o.channel,
        coalesce(l.tender, case when l.provider_ref like 'free:%' or l.provider_ref like 'rf\\_%' then 'none' else 'provider' end) as tender,
        count(*) filter (where l.kind = 'charge')::int as payments,
        coalesce(sum(l.amount_pence) filter (where l.kind = 'charge'), 0)::int as amount_pence,
        coalesce(-sum(l.amount_pence) filter (where l.kind <> 'charge'), 0)::int as refunded_pence
      from span_rows l cross join lateral (select channel from orders o where o.id = l.order_id offset 0) o cross join store_day s
      where l.kind in ('charge', 'refund', 'refund_failed') group by 1, 2, 3
    ), takings_of_day as (
      select day, jsonb_agg(to_jsonb(t) - 'day' order by channel, tender) as takings from paid_with t group by day
    ), ledger_sums as (
    select m.*, m.day::text as day, coalesce(k.gross_pence, 0) as gross_pence, coalesce(k.store_refunds_pence, 0) as store_refunds_pence,
      coalesce(k.platform_fees_pence, 0) as platform_fees_pence, coalesce(k.dispute_shares_pence, 0) as dispute_shares_pence,
      coalesce(t.takings, '[]') as takings
    from moves m left join kept k on k.day = m.day left join takings_of_day t on t.day = m.day
    )`;

/**
 * The paid orders, once each however many tenders paid them, with their lines and those of their legs, in their state at the end of their
 * day.
 */
const soldSql = sql.fragment`paid as materialized (
      select distinct l.order_id, l.at, ${dayOf(sql.fragment`l.at`)} as day, s.time_zone
      from span_rows l cross join store_day s where l.kind = 'charge'
    ), dated as (
      select p.*, (p.day + 1)::timestamp at time zone p.time_zone as day_ends from paid p
    ), sold_orders as (
    select d.day::text as day, ${instantOf(sql.fragment`d.at`)} as at, o.id as order_id, o.order_number,
      case when o.business_status = 'cancelled' and o.cancelled_at < d.day_ends then 'cancelled'
        when coalesce(o.fulfilled_at, o.uncollected_at) < d.day_ends then 'fulfilled' else 'open' end as state,
      o.subtotal_pence, o.promo_discount_pence as promo_pence, o.voucher_discount_pence as voucher_pence,
      o.voucher_id is not null as with_voucher, o.tip_pence, lines.sold as lines
    from dated d cross join lateral (select * from orders o where o.id = d.order_id offset 0) o cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('name', l.name, 'quantity', l.quantity, 'vat_rate_bps', l.vat_rate_bps, 'vat_parts', l.vat_parts,
        'unit_price_pence', l.unit_price_pence)), '[]') as sold
      from (select o.id union all select f.id from orders f where f.parent_order_id = o.id) family
        cross join lateral (select * from order_line l where l.order_id = family.id offset 0) l
    ) lines
    )`;

/** The orders with money refunded, or returned by a failed refund, with all refunds as receipts have them. */
const creditedSql = sql.fragment`touched as materialized (
      select distinct l.order_id from span_rows l where l.kind in ('refund', 'refund_failed')
    ), credited_orders as (
    select o.id, o.order_number, o.promo_discount_pence + o.voucher_discount_pence as discount_pence, lines.sold as lines, credits.made as refunds
    from touched t cross join lateral (select * from orders o where o.id = t.order_id offset 0) o cross join store_day s
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('order_id', l.order_id, 'quantity', l.quantity, 'vat_rate_bps', l.vat_rate_bps, 'vat_parts', l.vat_parts,
        'unit_price_pence', l.unit_price_pence)), '[]') as sold
      from (select o.id union all select f.id from orders f where f.parent_order_id = o.id) family
        cross join lateral (select * from order_line l where l.order_id = family.id offset 0) l
    ) lines
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('order_id', r.order_id, 'amount_pence', r.amount_pence,
        'accepted_at', ${instantOf(sql.fragment`r.accepted_at`)}, 'failed_at', ${instantOf(sql.fragment`r.failed_at`)},
        'accepted_day', case when r.accepted_at >= s.begins and r.accepted_at < s.ends then ${dayOf(sql.fragment`r.accepted_at`)} end,
        'failed_day', case when r.failed_at >= s.begins and r.failed_at < s.ends then ${dayOf(sql.fragment`r.failed_at`)} end,
        'lines', (select coalesce(jsonb_agg(jsonb_build_object('sum_pence', n.amount_pence, 'vat_rate_bps', l.vat_rate_bps, 'vat_parts', l.vat_parts)), '[]')
          from refund_line n
          cross join lateral (select * from order_line l where l.order_id = n.order_id and l.position = n.position offset 0) l where n.refund_id = r.id))
        order by r.credit_note nulls first, r.settled_at, r.id), '[]') as made
      from (
        select f.*, coalesce(f.credited_at, f.settled_at) as accepted_at, case when not f.counted then f.settled_at end as failed_at
        from refund f where f.payment_order_id = o.id and (f.counted or f.credit_note is not null)
      ) r
    ) credits
    )`;

/** Reads the input of a span's sums in one statement, so that all of it is from one moment. */
export const readOpenRows = (queries: Queries, span: OpenSpan): Promise<OpenRows> =>
  queries.one(sql.prepared('report-open-days', Open)`
    with ${spanSql(span)}, ${spanRowsSql}, ${storeEntriesSql}, ${ledgerSql}, ${soldSql}, ${creditedSql}
    select (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from ledger_sums r) as ledger,
      (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from sold_orders r) as sold,
      (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from credited_orders r) as credited`);
