import { instantOf, type Queries } from '@corner/chassis';
import { languages } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

export const VatParts = z.array(z.object({ rate_bps: z.number().nullable(), unit_pence: z.number() })).nullable();

const Address = z.object({ lines: z.array(z.string()), postcode: z.string(), city: z.string(), country: z.string() });
const Line = z.object({
  order_id: z.string(),
  name: z.string(),
  quantity: z.number(),
  unit_price_pence: z.number(),
  vat_rate_bps: z.number().nullable(),
  vat_parts: VatParts,
});
const Refund = z.object({
  id: z.string(),
  order_id: z.string(),
  amount_pence: z.number(),
  credit_note: z.number().nullable(),
  accepted_at: z.string(),
  failed_at: z.string().nullable(),
  lines: z.array(
    z.object({ name: z.string(), quantity: z.number(), sum_pence: z.number(), vat_rate_bps: z.number().nullable(), vat_parts: VatParts }),
  ),
});

const ReceiptRow = z.object({
  id: z.string(),
  store_id: z.string(),
  order_number: z.string(),
  paid_at: z.string(),
  currency: z.string(),
  table_number: z.string().nullable(),
  subtotal_pence: z.number(),
  discount_pence: z.number(),
  tip_pence: z.number(),
  total_pence: z.number(),
  lines: z.array(Line),
  refunds: z.array(Refund),
  paid_with: z.array(z.enum(['cash', 'external_card', 'none'])),
  collections: z.array(z.object({ order_number: z.string(), collection_code: z.string().nullable(), collect_at: z.string().nullable() })),
  seller_name: z.string(),
  legal_name: z.string().nullable(),
  address: Address.nullable(),
  vat_number: z.string().nullable(),
  time_zone: z.string(),
  /** The customer's, needed only by the page; if unknown, the store's when the order was paid. */
  language: z.enum(languages),
});
export type ReceiptRow = z.output<typeof ReceiptRow>;

const lineNameSql = sql.fragment`l.name || coalesce(' (' || (
  select string_agg(c.value ->> 'name', ', ' order by c.n) from jsonb_array_elements(l.choices) with ordinality as c(value, n)) || ')', '')`;

/**
 * Reads the receipts of paid orders with their refunds in the order of acceptance; unpaid orders are left out. Lines are the order's, then
 * those of its legs. With `isForPage`, the language is the customer's. Orders paid before sellers were stored show the current seller.
 */
export function findReceipts(
  queries: Queries,
  orderIds: readonly string[],
  { isForPage }: { readonly isForPage: boolean },
): Promise<readonly ReceiptRow[]> {
  const ids = sql.array([...orderIds], 'uuid');
  return queries.any(sql.prepared('find-receipts', ReceiptRow)`
    with family as (
      select o.*, o.parent_order_id is not null as is_leg, case when o.parent_order_id = any(${ids}) then o.parent_order_id else o.id end as asked_id
      from orders o
      where o.id = any(${ids}) or o.parent_order_id = any(${ids})
    )
    select o.id, o.store_id, o.order_number, ${instantOf(sql.fragment`o.paid_at`)} as paid_at, o.currency, o.table_number, o.subtotal_pence,
      o.promo_discount_pence + o.voucher_discount_pence as discount_pence, o.tip_pence, o.total_pence,
      (select coalesce(jsonb_agg(jsonb_build_object('order_id', f.id, 'name', ${lineNameSql}, 'quantity', l.quantity, 'unit_price_pence', l.unit_price_pence,
        'vat_rate_bps', l.vat_rate_bps, 'vat_parts', l.vat_parts) order by f.is_leg, f.order_number, l.position), '[]')
       from family f join order_line l on l.order_id = f.id where f.asked_id = o.id) as lines,
      (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'order_id', r.order_id, 'amount_pence', r.amount_pence,
        'credit_note', r.credit_note, 'accepted_at', ${instantOf(sql.fragment`coalesce(r.credited_at, r.settled_at)`)},
        'failed_at', case when not r.counted then ${instantOf(sql.fragment`r.settled_at`)} end,
        'lines', (select coalesce(jsonb_agg(jsonb_build_object('name', ${lineNameSql}, 'quantity', n.quantity, 'sum_pence', n.amount_pence,
            'vat_rate_bps', l.vat_rate_bps, 'vat_parts', l.vat_parts) order by n.position), '[]')
          from refund_line n join order_line l on l.order_id = n.order_id and l.position = n.position where n.refund_id = r.id))
        order by r.credit_note nulls first, r.settled_at, r.id), '[]')
       from refund r where r.payment_order_id = o.id and (r.counted or r.credit_note is not null)) as refunds,
      (select coalesce(jsonb_agg(jsonb_build_object('order_number', f.order_number, 'collection_code', f.collection_code,
        'collect_at', ${instantOf(sql.fragment`coalesce(f.revised_ready_at, f.requested_collection_at)`)})
        order by f.is_leg, f.order_number), '[]')
       from family f where f.asked_id = o.id and f.order_type = 'collect') as collections,
      coalesce((select array_agg(distinct g.tender) from ledger g where g.order_id = o.id and g.kind = 'charge' and g.tender is not null), '{}')
        as paid_with,
      coalesce(v.name, (select s.name from store s where s.id = o.store_id)) as seller_name, v.legal_name, v.address, v.vat_number,
      coalesce(v.time_zone, (select s.time_zone from store s where s.id = o.store_id)) as time_zone,
      coalesce(case when ${isForPage} then (select c.language from contact c where c.customer_id = o.customer_id) end, v.language, 'en')
        as language
    from family o
    left join lateral (
      select * from seller n where n.store_id = o.store_id and n.version = coalesce(o.seller_version, n.version) order by n.version desc limit 1
    ) v on true
    where o.id = any(${ids}) and o.paid_at is not null`);
}
