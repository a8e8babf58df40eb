import { instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const ReceiptRow = z.object({
  order_number: z.string(),
  paid_at: z.string(),
  currency: z.string(),
  table_number: z.string().nullable(),
  subtotal_pence: z.number(),
  discount_pence: z.number(),
  tip_pence: z.number(),
  total_pence: z.number(),
  lines: z.array(z.object({ name: z.string(), quantity: z.number(), unit_price_pence: z.number(), vat_rate_bps: z.number().nullable() })),
  collections: z.array(z.object({ order_number: z.string(), collection_code: z.string().nullable(), collect_at: z.string().nullable() })),
});
export type ReceiptRow = z.output<typeof ReceiptRow>;

/**
 * Reads what the receipt of a paid order shows. The lines are the order's, then those of its legs; what is collected is the order or each of
 * its legs. Null when the store has no such paid order.
 */
export const findReceipt = (queries: Queries, storeId: string, orderId: string): Promise<ReceiptRow | null> =>
  queries.maybeOne(sql.prepared('find-receipt', ReceiptRow)`
    with family as (
      select o.*, o.parent_order_id is not null as is_leg from orders o
      where o.store_id = ${storeId} and (o.id = ${orderId} or o.parent_order_id = ${orderId})
    )
    select o.order_number, ${instantOf(sql.fragment`o.paid_at`)} as paid_at, o.currency, o.table_number, o.subtotal_pence,
      o.promo_discount_pence + o.voucher_discount_pence as discount_pence, o.tip_pence, o.total_pence,
      (select coalesce(jsonb_agg(jsonb_build_object('name', l.name, 'quantity', l.quantity, 'unit_price_pence', l.unit_price_pence,
        'vat_rate_bps', l.vat_rate_bps) order by f.is_leg, f.order_number, l.position), '[]')
       from family f join order_line l on l.order_id = f.id) as lines,
      (select coalesce(jsonb_agg(jsonb_build_object('order_number', f.order_number, 'collection_code', f.collection_code,
        'collect_at', ${instantOf(sql.fragment`coalesce(f.revised_ready_at, f.requested_collection_at)`)})
        order by f.is_leg, f.order_number), '[]')
       from family f where f.order_type = 'collect') as collections
    from family o where o.id = ${orderId} and o.paid_at is not null`);
