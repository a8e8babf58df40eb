import type { Order, OrderChild } from '@corner/contracts';
import { orderStatus } from './status.ts';
import { type TenderEntry, tenderViews } from './tenders.ts';

type OrderView = (typeof Order)['_zod']['input'];
type ChildView = (typeof OrderChild)['_zod']['input'];

interface Line {
  readonly position: number;
  readonly menu_item_id: string;
  readonly name: string;
  readonly quantity: number;
  readonly unit_price_pence: number;
  readonly choices: { readonly option: string; readonly choice_id: string; readonly name: string; readonly price_pence: number }[];
  readonly note: string | null;
  readonly refunded: number;
}

type ViewedOrder = Omit<OrderView, 'status' | 'items' | 'discount_pence' | 'uncollected' | 'tenders' | 'ready_estimate'> &
  Parameters<typeof orderStatus>[0] & {
    readonly lines: readonly Line[];
    readonly tenders?: readonly TenderEntry[] | null;
    readonly uncollected_at: string | null;
    readonly ready_from: string | null;
    readonly ready_to: string | null;
    readonly promo_discount_pence: number;
    readonly voucher_discount_pence: number;
  };

export const orderView = (order: ViewedOrder): OrderView => ({
  id: order.id,
  store_id: order.store_id,
  order_type: order.order_type,
  fulfilment_status: order.fulfilment_status,
  collection_code: order.collection_code,
  collection_mode: order.collection_mode,
  requested_collection_at: order.requested_collection_at,
  accepted_at: order.accepted_at,
  preparing_at: order.preparing_at,
  ready_at: order.ready_at,
  collected_at: order.collected_at,
  created_at: order.created_at,
  order_number: order.order_number,
  status: orderStatus(order),
  total_pence: order.total_pence,
  currency: order.currency,
  tip_pence: order.tip_pence,
  discount_pence: order.promo_discount_pence + order.voucher_discount_pence,
  refunded_pence: order.refunded_pence,
  disputed: order.disputed,
  customer_id: order.customer_id,
  customer_name: order.customer_name,
  table_number: order.table_number,
  parent_order_id: order.parent_order_id,
  revised_ready_at: order.revised_ready_at,
  cancelled_by: order.cancelled_by,
  uncollected: order.uncollected_at !== null,
  channel: order.channel,
  eat_in: order.eat_in,
  without_customer: order.without_customer,
  paid_at: order.paid_at,
  offline: order.offline,
  ...readyEstimate(order),
  ...(order.tenders ? { tenders: tenderViews(order.tenders) } : {}),
  items: order.lines.map((line) => ({ ...line, total_pence: line.quantity * line.unit_price_pence })),
});

function readyEstimate({ requested_collection_at: at, ready_from: from, ready_to: to }: ViewedOrder): Pick<OrderView, 'ready_estimate'> {
  return at && from && to ? { ready_estimate: { at, from, to } } : {};
}

export type ViewedLeg = Omit<ChildView, 'order_id' | 'fulfilment_status'> &
  Pick<ViewedOrder, 'id'> & { readonly fulfilment_status: Exclude<ChildView['fulfilment_status'], 'pending'> | null };

export const childView = (leg: ViewedLeg): ChildView => ({
  order_id: leg.id,
  order_number: leg.order_number,
  order_type: leg.order_type,
  collection_code: leg.collection_code,
  fulfilment_status: leg.fulfilment_status ?? 'pending',
  prep_minutes: leg.prep_minutes,
  requested_collection_at: leg.requested_collection_at,
  total_pence: leg.total_pence,
});

export const lineName = ({ name, choices }: { readonly name: string; readonly choices: readonly { readonly name: string }[] }): string =>
  choices.length === 0 ? name : `${name} (${choices.map((choice) => choice.name).join(', ')})`;
