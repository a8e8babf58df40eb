import type { Order } from '../operations.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 4, 1, 12, minutes)).toISOString();

/** An accepted order of £6.30 to be collected at 12:20, for tests. */
export const orderOf = (fields: Partial<Order> = {}): Order => ({
  id: 'a',
  store_id: 's',
  order_type: 'collect',
  fulfilment_status: 'accepted',
  collection_code: '12',
  collection_mode: 'now',
  requested_collection_at: at(20),
  accepted_at: at(10),
  preparing_at: null,
  ready_at: null,
  collected_at: null,
  created_at: at(5),
  order_number: 'S1-1',
  status: 'paid',
  total_pence: 630,
  currency: 'GBP',
  tip_pence: 0,
  discount_pence: 0,
  refunded_pence: 0,
  disputed: false,
  customer_id: 'c',
  customer_name: null,
  table_number: null,
  parent_order_id: null,
  revised_ready_at: null,
  cancelled_by: null,
  uncollected: false,
  paid_at: at(10),
  items: [],
  ...fields,
});
