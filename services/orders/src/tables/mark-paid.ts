import { randomInt } from 'node:crypto';
import { type Transaction, tell } from '@corner/chassis';
import { orderFulfilmentChanged, orderPaid } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { appendLog } from './log.ts';
import { instant, lockOrder, type OrderRow } from './orders.ts';

export interface Payment {
  readonly at: Date;
  readonly intentId: string | null;
  readonly chargePence: number;
}

/** Without letters and digits that look alike. */
const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const newCode = (): string => Array.from({ length: 4 }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('');

/**
 * Marks an order paid, once, whoever finds out first: confirm, the webhook or the reconciler. The ledger gains its charge,
 * holds become commitments, the store accepts, and order.paid is told, all in the caller's transaction. Answers the order as it is.
 */
export async function markPaid(tx: Transaction, storeId: string, orderId: string, payment: Payment): Promise<OrderRow | null> {
  const order = await lockOrder(tx, storeId, orderId);
  if (!order || order.payment_status === 'paid') return order;
  const collects = order.order_type === 'collect';
  const { auto_accept, is_first, paid_at } = await tx.one(sql.prepared('mark-paid', Paid)`
    with first as (
      select not exists (select 1 from orders p where p.customer_id = ${order.customer_id} and p.store_id = ${storeId} and p.paid_at is not null) as is_first
    ), entered as (
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      select ${storeId}, ${orderId}, 'charge', ${payment.intentId ?? `free:${orderId}`}, ${payment.chargePence}, ${payment.at.toISOString()}
    ), committed as (
      update hold set state = 'committed' where order_id = ${orderId} and state = 'held'
    )
    update orders o
    set payment_status = 'paid', business_status = 'placed', paid_at = ${payment.at.toISOString()}, version = o.version + 1,
        is_first = first.is_first,
        fulfilment_status = case when s.auto_accept then 'accepted' end,
        accepted_at = case when s.auto_accept then ${payment.at.toISOString()}::timestamptz end,
        requested_collection_at = coalesce(o.requested_collection_at,
          case when ${collects} then ${payment.at.toISOString()}::timestamptz + make_interval(mins => o.prep_minutes) end),
        collection_code = case when ${collects} then ${await freeCode(tx, storeId)} end
    from store s, first
    where o.id = ${orderId} and o.store_id = ${storeId} and s.id = o.store_id
    returning s.auto_accept, o.is_first, ${instant(sql.fragment`o.paid_at`)} as paid_at`);
  const about = { aggregateId: orderId, sequence: order.version + 1, storeId, customerId: order.customer_id };
  const names = { order_id: orderId, order_number: order.order_number, store_id: storeId, customer_id: order.customer_id };
  await appendLog(tx, { storeId, orderId, at: payment.at, kind: 'paid', title: 'Payment was received', amountPence: payment.chargePence });
  await tell(tx, orderPaid, {
    ...about,
    data: {
      ...names,
      paid_at,
      total_pence: order.total_pence,
      tip_pence: order.tip_pence,
      net_of_tip_pence: order.total_pence - order.tip_pence,
      currency: order.currency,
      voucher_id: order.voucher_id,
      promo_code: order.promo_code,
      is_first,
      leg_ids: [],
    },
  });
  const paid = await lockOrder(tx, storeId, orderId);
  if (paid && collects && auto_accept) {
    await tell(tx, orderFulfilmentChanged, {
      ...about,
      data: { ...names, from: null, to: 'accepted', at: paid_at, collection_code: paid.collection_code },
    });
  }
  return paid;
}

const Paid = z.object({ auto_accept: z.boolean(), is_first: z.boolean(), paid_at: z.string() });

/** A code no live order of the store has. A clash that slips in between is refused by the unique index and tried again by the caller. */
async function freeCode(tx: Transaction, storeId: string): Promise<string> {
  const candidates = Array.from({ length: 8 }, newCode);
  const taken = await tx.anyFirst(sql.prepared('codes-taken', z.object({ collection_code: z.string() }))`
    select collection_code from orders
    where store_id = ${storeId} and business_status in ('placed', 'ready') and collection_code = any(${sql.array(candidates, 'text')})`);
  return candidates.find((code) => !taken.includes(code)) ?? newCode();
}
