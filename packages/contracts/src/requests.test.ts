import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  ActiveVoucher,
  ApprovalResult,
  DirectoryFile,
  EmbeddedCustomer,
  loyalty,
  Membership,
  notifications,
  OfflineResult,
  Order,
  OrderChild,
  OrderLogEntry,
  OrderStatusView,
  operations,
  orders,
  PendingStamp,
  PreferenceRow,
  QueueEntry,
  queue,
  Refund,
} from './index.ts';

const store = '0190a000-0000-7000-8000-000000000001';
const id = '0190a000-0000-7000-8000-0000000000e1';

const accepts = (schema: z.ZodType | undefined, value: unknown): boolean => schema?.safeParse(value).success ?? false;

const order = (more: object) => ({ ...(orders.createOrder.example.body as object), ...more });
const line = (quantity: number) => ({ menu_item_id: 'flat-white', quantity });

test.each<[string, z.ZodType | undefined, (n: number) => unknown, number, number]>([
  ['delayMinutes', orders.notifyDelay.body, (delayMinutes) => ({ store_id: store, delayMinutes }), 1, 480],
  ['limit', orders.listOrders.query, (limit) => ({ store_id: store, limit: String(limit) }), 1, 100],
  ['quantity', orders.createOrder.body, (n) => order({ items: [line(n)] }), 1, 99],
  ['number of order lines', orders.createOrder.body, (n) => order({ items: Array.from({ length: n }, () => line(1)) }), 1, 100],
  ['tip_pence', orders.createOrder.body, (tip_pence) => order({ tip_pence }), 0, 99_999_999],
  ['ttl_seconds', loyalty.generateStampCode.body, (ttl_seconds) => ({ store_id: store, ttl_seconds }), 15, 300],
  ['number of receipts', loyalty.syncOfflineStamps.body, (n) => ({ stamps: Array.from({ length: n }, () => ({})) }), 1, 20],
  ['party_size', queue.joinQueue.body, (party_size) => ({ store_id: store, party_size }), 1, 8],
])('%s is accepted at its bounds and not beyond them', (_, schema, request, least, most) => {
  expect([least - 1, least, most, most + 1].map((n) => accepts(schema, request(n)))).toEqual([false, true, true, false]);
});

describe('a request without optional fields gets their defaults', () => {
  test.each<[string, z.ZodType | undefined, object]>([
    ['listOrders', orders.listOrders.query, { scope: 'active', limit: 50 }],
    ['listPendingStamps', loyalty.listPendingStamps.query, { status: 'pending' }],
    ['generateStampCode', loyalty.generateStampCode.body, { ttl_seconds: 60 }],
    ['joinQueue', queue.joinQueue.body, { party_size: 1 }],
  ])('in %s', (_, schema, defaults) => expect(schema?.parse({ store_id: store })).toEqual({ store_id: store, ...defaults }));
});

test.each<[string, string, z.ZodType | undefined]>([
  ['from', 'listOrders', orders.listOrders.query],
  ['to', 'listOrders', orders.listOrders.query],
  ['day', 'listStoreLog', orders.listStoreLog.query],
  ['day', 'listQueueLog', queue.listQueueLog.query],
  ['day', 'listLoyaltyLog', loyalty.listLoyaltyLog.query],
])('%s of %s is a day that the calendar and the database have', (field, _, schema) => {
  const days = ['2026-02-28', '2026-02-30', '0001-01-01', '0000-01-01', '2026-2-8', ''];
  expect(days.filter((day) => accepts(schema, { store_id: store, [field]: day }))).toEqual(['2026-02-28', '0001-01-01']);
});

test('an unknown field in a request is ignored', () => {
  const parsed = notifications.answerMarketingOptIn.body?.parse({ store_id: store, accepted: true, colour: 'blue' });
  expect(parsed).toEqual({ store_id: store, accepted: true });
});

test('an id is accepted in upper case and converted to lower case', () => {
  expect(orders.getOrder.params?.parse({ orderId: id.toUpperCase() })).toEqual({ orderId: id });
});

test('a fulfilment mode is parsed to counter or table, and table needs a table number', () => {
  const mode = (value: string) =>
    orders.createOrder.body?.parse(order({ fulfilment: { mode: value, table_number: '7' } })).fulfilment?.mode;
  expect(['counter', 'counter_collection', 'table', 'table_service'].map(mode)).toEqual(['counter', 'counter', 'table', 'table']);
  expect(accepts(orders.createOrder.body, order({ fulfilment: { mode: 'drone' } }))).toBe(false);
  expect(accepts(orders.createOrder.body, order({ fulfilment: { mode: 'table' } }))).toBe(false);
  expect(accepts(orders.createOrder.body, order({ fulfilment: { mode: 'table', table_number: '1'.repeat(17) } }))).toBe(false);
});

test('an order without items is accepted only with fulfilment_groups', () => {
  expect(accepts(orders.createOrder.body, order({ items: [] }))).toBe(false);
  expect(accepts(orders.createOrder.body, order({ items: [], fulfilment_groups: [{ role: 'collect', items: [line(1)] }] }))).toBe(true);
  expect(accepts(orders.createOrder.body, order({ items: undefined }))).toBe(false);
});

test('a preference must be a boolean or absent, not null', () => {
  expect(accepts(notifications.upsertPreferences.body, { storeId: store })).toBe(true);
  expect(accepts(notifications.upsertPreferences.body, { storeId: store, classReminders: null })).toBe(false);
});

test('multiStampStatus requires store_id or store_code', () => {
  expect(accepts(loyalty.multiStampStatus.query, {})).toBe(false);
  expect(accepts(loyalty.multiStampStatus.query, { store_code: 'S1' })).toBe(true);
});

describe('a directory file', () => {
  const faultsIn = (file: unknown) => DirectoryFile.safeParse(file).error?.issues.map(({ path }) => path.join('.'));

  test('needs only an id, a code and a name for a store', () => {
    const [filled] = DirectoryFile.parse({ stores: [{ id: store, code: 'S1', name: 'Corner Coffee' }] }).stores;
    expect(filled).toMatchObject({ status: 'live', currency: 'GBP', auto_accept: true, refund_window_days: 90, called_hold_minutes: 5 });
  });

  const row = (more: object) => ({
    slots: [{ store_id: store, template: [{ days: [1, 5], from: '09:00', to: '17:00', every_minutes: 15, ...more }] }],
  });
  const weekly = Array.from({ length: 28 }, () => ({ days: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '17:00' }));
  const crowded = { id, name: 'Chair', service_ids: [], weekly_shifts: weekly };
  const rows = (...spans: [from: string, to: string, ...days: number[]][]) => ({
    slots: [{ store_id: store, template: spans.map(([from, to, ...days]) => ({ days, from, to, every_minutes: 15 })) }],
  });

  test('keeps a template whose rows touch, around the end of the week too', () => {
    const file = rows(['09:00', '12:00', 1, 2], ['12:00', '14:00', 1], ['22:00', '09:00', 7]);
    expect(faultsIn(file)).toBeUndefined();
    expect(DirectoryFile.parse(file).slots[0]).toMatchObject({ slots: [], template: [{ capacity: null }, {}, {}] });
  });

  test.each<[string, object]>([
    ['slots.0.template.0.days', row({ days: [1, 1] })],
    ['slots.0.template.0.from', row({ from: '9:00' })],
    ['slots.0.template.0.every_minutes', row({ every_minutes: 481 })],
    [
      'slots.0.template',
      { slots: [{ store_id: store, template: Array.from({ length: 101 }, () => row({ days: [1] }).slots[0]?.template[0]) }] },
    ],
    ['floors.0.units', { floors: [{ store_id: store, services: [], units: Array.from({ length: 15 }, () => crowded) }] }],
    ['slots.0.template.1', rows(['09:00', '12:00', 1], ['11:00', '13:00', 1, 2])],
    ['slots.0.template.0', rows(['09:00', '12:00', 1], ['22:00', '09:15', 7])],
    ['stores.0.time_zone', { stores: [{ id: store, code: 'S1', name: 'A', time_zone: 'Mars/Olympus' }] }],
    ['stores.0.hours.0.closes', { stores: [{ id: store, code: 'S1', name: 'A', hours: [{ day: 1, opens: '09:00', closes: '24:60' }] }] }],
    ['slots.0.slots.0.starts_at', { slots: [{ store_id: store, slots: [{ id, starts_at: 'noon', ends_at: '2026-05-01T12:00:00Z' }] }] }],
    ['menus.0.promos.0.value', { menus: [{ store_id: store, items: [], promos: [{ id, code: 'X', kind: 'percent', value: 101 }] }] }],
    ['programmes.0.reward.item_id', { programmes: [{ store_id: store, reward: { kind: 'item', value: 1 } }] }],
  ])('with a fault at %s is not accepted, and the error names that path', (fault, file) => expect(faultsIn(file)).toEqual([fault]));
});

test.each<[string, z.ZodObject, string]>([
  [
    'Order',
    Order,
    'id store_id order_type fulfilment_status collection_code collection_mode requested_collection_at accepted_at preparing_at ready_at collected_at',
  ],
  ['OrderStatusView', OrderStatusView, 'id store_id status order_type fulfilled_at cancelled_at'],
  [
    'OrderChild',
    OrderChild,
    'order_id order_number order_type collection_code fulfilment_status prep_minutes requested_collection_at total_pence',
  ],
  ['OrderLogEntry', OrderLogEntry, 'at title detail actor amount_pence'],
  ['Refund', Refund, 'id status amount'],
  ['ActiveVoucher', ActiveVoucher, 'id code reward_title voucher_type expires_at'],
  ['Membership', Membership, 'status current_period_end plan_name'],
  ['PendingStamp', PendingStamp, 'id store_id customer_id status source approval_reason approved created_at approved_at customer'],
  ['EmbeddedCustomer', EmbeddedCustomer, 'id name email phone identity_user_id last_seen created_at updated_at'],
  [
    'OfflineResult',
    OfflineResult,
    'receipt_id success stamp_id stamp_status current_stamps goal voucher_earned voucher_code duplicate error message',
  ],
  [
    'ApprovalResult',
    ApprovalResult,
    'success error limit_reached monthly_limit stamps_used plan_key stamp_count voucher_created voucher_code voucher_id stamp_id message already_approved',
  ],
  [
    'QueueEntry',
    QueueEntry,
    'entry_id store_id customer_id guest_name service_id preferred_unit_id party_size status joined_at called_at quoted_wait_min appointment_id queue_position expected_wait_min expected_start suggested_unit_id',
  ],
  [
    'PreferenceRow',
    PreferenceRow,
    'storeId storeName messagesMuted classReminders classEventsEnabled voucherEventsEnabled stampEventsEnabled membershipEventsEnabled penaltyEventsEnabled marketingEnabled',
  ],
])('%s has every field of the interface', (_, { shape }, fields) => {
  expect(Object.keys(shape)).toEqual(expect.arrayContaining(fields.split(' ')));
});

describe('null and absence mean the same in a body, so a replay takes them for one request', () => {
  const unwrapped = (schema: z.ZodType): z.ZodType =>
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.unwrap() as z.ZodType) : schema;

  /** Returns the fields, those of nested objects too, for which null and absent have different meanings. */
  const different = (schema: z.ZodType, path = 'body'): string[] => {
    const inner = unwrapped(schema);
    if (inner instanceof z.ZodArray) return different(inner.element as z.ZodType, `${path}[]`);
    if (!(inner instanceof z.ZodObject)) return [];
    return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
      const [asNull, absent] = [field.safeParse(null), field.safeParse(undefined)];
      const differs = asNull.success && (!absent.success || (absent.data ?? null) !== (asNull.data ?? null));
      return [...(differs ? [`${path}.${name}`] : []), ...different(field, `${path}.${name}`)];
    });
  };

  test.each(operations.flatMap(({ name, body }) => (body ? [[name, body as z.ZodType] as const] : [])))('in %s', (_, body) =>
    expect(different(body)).toEqual([]),
  );
});
