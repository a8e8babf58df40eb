import { instantOf, outboxValues } from '@corner/chassis';
import { orderFulfilmentChanged, orderPaid } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { orderFields } from '../rules/order-event.ts';

/** What is known of an order before the statement that writes it as paid. */
export interface OrderToPay {
  readonly id: string;
  readonly store_id: string;
  readonly customer_id: string;
  readonly currency: string;
  readonly total_pence: number;
  readonly tip_pence: number;
  readonly voucher_id: string | null;
  readonly promo_code: string | null;
}

/**
 * Selects the rows of the outbox for an order that a statement writes as paid: order.paid, and order.fulfilment_changed for each part to
 * collect that the store accepts at once. `rows` is the statement's table of the orders as they are then.
 */
export function paidEvents(order: OrderToPay, now: string, rows: 'placed' | 'paid'): FragmentSqlToken {
  const from = sql.fragment`from ${sql.identifier([rows])} p`;
  const ids = { aggregateId: order.id, sequence: 0, storeId: order.store_id, customerId: order.customer_id };
  const fields = orderFields({ ...order, order_number: '' });
  const sequence = sql.fragment`p.version`;
  const order_number = sql.fragment`p.order_number`;
  const at = instantOf(sql.fragment`p.paid_at`);
  const paid = {
    ...fields,
    paid_at: now,
    total_pence: order.total_pence,
    tip_pence: order.tip_pence,
    net_of_tip_pence: order.total_pence - order.tip_pence,
    currency: order.currency,
    voucher_id: order.voucher_id,
    promo_code: order.promo_code,
    is_first: false,
    leg_ids: [],
  };
  const leg_ids = sql.fragment`(select coalesce(jsonb_agg(l.id order by l.order_number), '[]') from ${sql.identifier([rows])} l
    where l.parent_order_id is not null)`;
  const accepted = { ...fields, from: null, to: 'accepted' as const, at: now, collection_code: null };
  return sql.fragment`
    select ${outboxValues(orderPaid, { ...ids, data: paid }, { sequence, data: { order_number, paid_at: at, is_first: sql.fragment`p.is_first`, leg_ids } })}
    ${from} where p.parent_order_id is null
    union all (
      select ${outboxValues(
        orderFulfilmentChanged,
        { ...ids, data: accepted },
        {
          aggregateId: sql.fragment`p.id::text`,
          sequence,
          data: { order_id: sql.fragment`p.id`, order_number, at, collection_code: sql.fragment`p.collection_code` },
        },
      )}
      ${from} where p.order_type = 'collect' and p.fulfilment_status = 'accepted' order by p.parent_order_id nulls first, p.order_number
    )`;
}
