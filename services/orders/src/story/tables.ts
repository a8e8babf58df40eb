import { instantOf, type Queries } from '@corner/chassis';
import { cancellers } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { RecordedOrder } from './rules/facts.ts';

const Part = z.object({
  id: z.string(),
  order_number: z.string(),
  accepted_at: z.string().nullable(),
  revised_ready_at: z.string().nullable(),
  requested_collection_at: z.string().nullable(),
  cancelled_by: z.enum(cancellers).nullable(),
});

const LogEntry = z.object({
  at: z.string(),
  order_id: z.string(),
  kind: z.string(),
  actor: z.string().nullable(),
  detail: z.string().nullable(),
  amount_pence: z.number().nullable(),
});

const Refund = z.object({
  id: z.string(),
  order_id: z.string(),
  amount_pence: z.number(),
  status: z.string(),
  counted: z.boolean(),
  by_id: z.string(),
  by_name: z.string().nullable(),
  reason: z.string(),
  created_at: z.string(),
  accepted_at: z.string().nullable(),
  settled_at: z.string().nullable(),
});

const Row = z.object({
  id: z.string(),
  customer_id: z.string(),
  currency: z.string(),
  time_zone: z.string(),
  payment_status: z.enum(['pending_payment', 'payment_failed', 'paid', 'cancelled', 'expired']),
  is_first: z.boolean().nullable(),
  without_customer: z.boolean(),
  created_at: z.string(),
  paid_at: z.string().nullable(),
  total_pence: z.number(),
  promo_discount_pence: z.number(),
  promo_label: z.string().nullable(),
  voucher_discount_pence: z.number(),
  voucher_id: z.string().nullable(),
  parts: z.array(Part),
  log: z.array(LogEntry),
  refunds: z.array(Refund),
});

export type Reader = { readonly storeId: string } | { readonly customerId: string };

export const readRecords = (queries: Queries, orderId: string, reader: Reader): Promise<RecordedOrder | null> => {
  const [name, isReaders] =
    'storeId' in reader
      ? ['records-of-order', sql.fragment`o.store_id = ${reader.storeId}`]
      : ['records-of-own-order', sql.fragment`o.customer_id = ${reader.customerId}`];
  return queries.maybeOne(sql.prepared(name, Row)`
    with main as materialized (
      select o.* from orders o
      where o.id = (select coalesce(n.parent_order_id, n.id) from orders n where n.id = ${orderId}) and ${isReaders}
    ), part as materialized (
      select m.*, 0 as place from main m
      union all
      select l.*, 1 from orders l where l.parent_order_id = (select id from main)
    )
    select m.id, m.customer_id, m.currency, s.time_zone, m.payment_status, m.is_first, m.without_customer, ${instantOf(sql.fragment`m.created_at`)} as created_at,
      ${instantOf(sql.fragment`m.paid_at`)} as paid_at, m.total_pence, m.promo_discount_pence, coalesce(m.promo_label, m.promo_code) as promo_label,
      m.voucher_discount_pence, m.voucher_id,
      (select jsonb_agg(jsonb_build_object('id', p.id, 'order_number', p.order_number, 'accepted_at', ${instantOf(sql.fragment`p.accepted_at`)},
          'revised_ready_at', ${instantOf(sql.fragment`p.revised_ready_at`)},
          'requested_collection_at', ${instantOf(sql.fragment`p.requested_collection_at`)}, 'cancelled_by', p.cancelled_by) order by p.place, p.order_number)
        from part p) as parts,
      (select coalesce(jsonb_agg(jsonb_build_object('at', ${instantOf(sql.fragment`l.at`)}, 'order_id', l.order_id, 'kind', l.kind, 'actor', l.actor,
          'detail', l.detail, 'amount_pence', l.amount_pence) order by l.at, l.id), '[]')
        from log_entry l where l.order_id = any(array(select p.id from part p))) as log,
      (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'order_id', r.order_id, 'amount_pence', r.amount_pence, 'status', r.status,
          'counted', r.counted, 'by_id', r.by_id, 'by_name', r.by_name, 'reason', r.reason, 'created_at', ${instantOf(sql.fragment`r.created_at`)},
          'accepted_at', ${instantOf(sql.fragment`coalesce(r.credited_at, case when r.counted then r.settled_at end)`)},
          'settled_at', ${instantOf(sql.fragment`r.settled_at`)}) order by coalesce(r.credited_at, r.settled_at, r.created_at), r.id), '[]')
        from refund r where r.payment_order_id = m.id) as refunds
    from main m join store s on s.id = m.store_id`);
};
