import { columns, instantOf, type Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { OrderRow, orderColumns } from '../../order/tables/orders.ts';
import type { ReadyTimes } from '../../ready-times/index.ts';

const Leg = OrderRow.pick({
  id: true,
  version: true,
  order_number: true,
  order_type: true,
  collection_mode: true,
  prep_minutes: true,
  total_pence: true,
  fulfilment_status: true,
  collection_code: true,
  requested_collection_at: true,
}).extend({ item_ids: z.array(z.string()) });
export type PayableLeg = z.output<typeof Leg>;
const item_ids = sql.fragment`array(select i.menu_item_id from order_line i where i.order_id = l.id)`;

export const PayableOrder = OrderRow.extend({
  legs: z.array(Leg),
  time_zone: z.string(),
  ready_times: z.custom<ReadyTimes>().nullable(),
  auto_accept: z.boolean(),
  accept_within_minutes: z.number().nullable(),
  payment_attempted: z.boolean(),
  has_paid_before: z.boolean(),
  /** The state of the seller that the order's invoice shows; null when none is stored for the store. */
  seller_version: z.number().nullable(),
});
export type PayableOrder = z.output<typeof PayableOrder>;

/**
 * The columns of {@link PayableOrder}, from orders named `o` and their store `s`. Avoids `exists`, which the planner may turn into a hash
 * of all first orders.
 */
export const payableColumns: FragmentSqlToken = sql.fragment`${orderColumns},
  coalesce((
    select jsonb_agg(to_jsonb(leg) order by leg.order_number)
    from (
      select ${columns(Leg, { alias: 'l', overrides: { requested_collection_at: instantOf, item_ids } })}
      from orders l where l.parent_order_id = o.id and l.store_id = o.store_id
    ) leg
  ), '[]') as legs,
  s.auto_accept or o.channel = 'counter' as auto_accept, s.accept_within_minutes, o.payment_attempted_at is not null as payment_attempted,
  coalesce((
    select true from orders f where f.customer_id = o.customer_id and f.store_id = o.store_id and f.is_first and f.id <> o.id limit 1
  ), false) as has_paid_before, s.seller_version, s.time_zone,
  (select r.learned from ready_times r where r.store_id = o.store_id) as ready_times`;

export const findPayableOrder = (
  queries: Pick<Queries, 'maybeOne'>,
  { storeId, orderId }: { readonly storeId: string; readonly orderId: string },
): Promise<PayableOrder | null> =>
  queries.maybeOne(sql.prepared('find-payable-order', PayableOrder)`
    select ${payableColumns} from orders o join store s on s.id = o.store_id
    where o.id = ${orderId} and o.store_id = ${storeId} and o.parent_order_id is null`);

/** Reads the order that an intent pays, of any store: the provider's events do not name the store. */
export const findPayableOrderByIntent = (queries: Queries, intentId: string): Promise<PayableOrder | null> =>
  queries.maybeOne(sql.prepared('find-payable-order-by-intent', PayableOrder)`
    select ${payableColumns} from orders o join store s on s.id = o.store_id where o.payment_intent_id = ${intentId}`);
