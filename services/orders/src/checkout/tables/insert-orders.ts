import { currentTraceparent } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { expectedAt, isFirstOrder } from '../../payment/index.ts';
import type { Placement } from '../rules/placement.ts';

/** The columns of an order's state and the values they get, read from `numbered n` and the row `r`. */
interface State {
  readonly columns: FragmentSqlToken;
  readonly values: FragmentSqlToken;
}

/** An order that is to be paid. */
export const unpaid: State = {
  columns: sql.fragment`payment_status, requested_collection_at`,
  values: sql.fragment`'pending_payment', r.collect_at`,
};

/** An order that is paid as it is placed. */
export function paidAtOnce({ storeId, customerId, placedAt }: Placement): State {
  const now = placedAt.toISOString();
  return {
    columns: sql.fragment`payment_status, business_status, paid_at, is_first, fulfilment_status, accepted_at, collection_code,
      requested_collection_at`,
    values: sql.fragment`'paid', 'placed', ${now}, case when r.parent_order_id is null then ${isFirstOrder(storeId, customerId)} end,
      case when n.auto_accept then 'accepted' end, case when n.auto_accept then ${now}::timestamptz end,
      case when r.order_type = 'collect' then r.code end, coalesce(r.collect_at, ${expectedAt('r', storeId, now)})`,
  };
}

/**
 * Inserts the order and its legs, in a state: a part of a larger statement, in which `numbered n` has the order's number. The second leg
 * of order S1-1042 has the number S1-1042-2.
 */
export const ordersInserted = (p: Placement, state: State, codes: readonly string[]): FragmentSqlToken => sql.fragment`
  insert into orders (id, store_id, customer_id, parent_order_id, order_number, order_type, collection_mode, slot_id,
    fulfilment_mode, table_number, prep_minutes, idempotency_key, request_fingerprint, currency, subtotal_pence,
    promo_discount_pence, voucher_discount_pence, tip_pence, total_pence, application_fee_pence, connected_account_id, on_behalf_of,
    voucher_id, promo_code, promo_label, pay_until, traceparent, device_hash, ${state.columns})
  select r.id, ${p.storeId}, ${p.customerId}, r.parent_order_id, n.order_number || coalesce('-' || r.leg, ''), r.order_type, r.collection_mode,
    r.slot_id, r.fulfilment_mode, r.table_number, r.prep_minutes, r.key, decode(r.fingerprint, 'hex'),
    ${p.currency}, r.subtotal_pence, r.promo_discount_pence, r.voucher_discount_pence, r.tip_pence, r.total_pence, r.fee_pence,
    ${p.connectedAccountId}, ${p.onBehalfOf}, r.voucher_id, r.promo_code, r.promo_label, r.pay_until, r.traceparent,
    decode(r.device_hash, 'hex'), ${state.values}
  from numbered n, jsonb_to_recordset(${sql.jsonb(orderRows(p, codes) as never)}) as r(id uuid, parent_order_id uuid, leg integer, order_type text,
    collection_mode text, slot_id uuid, collect_at timestamptz, fulfilment_mode text, table_number text, prep_minutes integer, key uuid,
    fingerprint text, subtotal_pence integer, promo_discount_pence integer, voucher_discount_pence integer, tip_pence integer,
    total_pence integer, fee_pence integer, voucher_id uuid, promo_code text, promo_label text, pay_until timestamptz, traceparent text,
    device_hash text, code text)
  returning id, version, parent_order_id, order_number, order_type, fulfilment_status, collection_code, requested_collection_at, is_first, paid_at`;

const orderRows = (p: Placement, codes: readonly string[]) =>
  [p.main, ...p.legs].map((part, n) => ({
    id: part.id,
    order_type: part.orderType,
    collection_mode: part.collectionMode,
    slot_id: part.slotId,
    collect_at: part.collectAt,
    prep_minutes: part.prepMinutes,
    subtotal_pence: part.price.subtotalPence,
    promo_discount_pence: part.price.promoDiscountPence,
    voucher_discount_pence: part.price.voucherDiscountPence,
    tip_pence: part.price.tipPence,
    total_pence: part.price.totalPence,
    traceparent: currentTraceparent() ?? null,
    code: codes[n] ?? null,
    ...(n === 0
      ? {
          fulfilment_mode: p.mode,
          table_number: p.tableNumber,
          key: p.key,
          fingerprint: p.fingerprint,
          fee_pence: p.main.price.feePence,
          voucher_id: p.voucherId,
          device_hash: p.deviceHash,
          promo_code: p.promo?.code ?? null,
          promo_label: p.promo?.label ?? null,
          pay_until: p.payUntil.toISOString(),
        }
      : { parent_order_id: p.main.id, leg: n, fulfilment_mode: 'counter', fee_pence: 0 }),
  }));
