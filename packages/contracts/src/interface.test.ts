import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { type AnyOperation, events, operations } from './index.ts';

/**
 * The public interface, written down independently of the contracts: who may call each operation, the fields of its
 * request and the fields of its reply. `name` is required, `name?` may be absent, and a `~` at the end means it may be null.
 */
const proof = 'nfc_picc_data?~ nfc_cmac?~ nfc_key_version?~';
const documented: Readonly<
  Record<string, { readonly callers: string; readonly query?: string; readonly body?: string; readonly reply: string }>
> = {
  'GET /api/v1/orders': {
    callers: 'merchant staff',
    query: 'store_id scope? limit? before? before_id?',
    reply: 'orders scope',
  },
  'POST /api/v1/orders': {
    callers: 'customer',
    body: 'store_code store_id idempotency_key items fulfilment? tip_pence?~ promo_code?~ voucher_id?~ order_type? collection_mode? slot_id?~ requested_collection_at?~ device_fingerprint?~ fulfilment_groups?',
    reply:
      'order_id order_number status requires_payment client_secret~ ephemeral_key~ payment_customer_id~ connected_account_id payment_intent_id~ amount_pence currency merchant_name collection_code?~ children?',
  },
  'GET /api/v1/orders/{orderId}': { callers: 'merchant staff', query: 'store_id', reply: 'order' },
  'PATCH /api/v1/orders/{orderId}/fulfilment': { callers: 'merchant staff', body: 'store_id to_status', reply: 'order' },
  'GET /api/v1/orders/{orderId}/log': { callers: 'merchant staff', query: 'store_id?', reply: 'entries' },
  'POST /api/v1/orders/{orderId}/notify-delay': {
    callers: 'merchant staff',
    body: 'store_id delayMinutes? newReadyAt? note?~',
    reply: 'ok newEta~ notified channel_detail?',
  },
  'POST /api/v1/orders/{orderId}/refund': {
    callers: 'merchant staff',
    body: 'store_id reason amount_pence?~ refund_attempt_id?~',
    reply: 'refund',
  },
  'PATCH /api/v1/orders/{orderId}/status': { callers: 'merchant staff', body: 'store_id status note?~', reply: 'order' },
  'POST /api/v1/orders/collect-earlier': {
    callers: 'customer',
    body: 'store_id order_id slot_id',
    reply: 'to_slot_id requested_collection_at orders_remaining~',
  },
  'POST /api/v1/orders/confirm': {
    callers: 'customer',
    body: 'store_id payment_intent_id',
    reply:
      'order_id order_number status payment_intent_id order_type fulfilment_status total_pence~ currency~ collection_code~ prep_minutes~ applied_voucher_id?~ applied_promo_code?~ applied_promo_label?~ collection_mode?~ requested_collection_at?~ reward_title?~ reward_unlock_message?~ welcome_message?~ subtotal_pence?~ discount_pence?~ promo_discount_pence?~ voucher_discount_pence?~ loyalty_awarded? voucher_minted? is_first_order? ask_marketing_opt_in?~ stamps_added? stamp_count? goal? children?',
  },
  'GET /api/v1/loyalty/customer-state': {
    callers: 'merchant staff merchant:read',
    query: 'store_id customer_id',
    reply:
      'stamp_count goal reward_name loyalty_enabled active_vouchers order_count total_spent_pence currency membership phone~ email~ last_visit_at~',
  },
  'POST /api/v1/loyalty/multi-stamp/cancel': { callers: 'customer', body: 'request_id', reply: 'cancelled previous_status?' },
  'POST /api/v1/loyalty/multi-stamp/confirm': {
    callers: 'customer',
    body: `store_code request_id?~ staff_secret?~ staff_token?~ ${proof}`,
    reply:
      'action stamps_created current_stamps goal vouchers_earned voucher_earned voucher_results store_name store_code background_type store_logo_url~ primary_color~ secondary_color~ background_image_url~ background_color~ stamp_visual~ store_template~ idempotent',
  },
  'POST /api/v1/loyalty/multi-stamp/request': {
    callers: 'customer',
    body: 'store_id requested_stamps',
    reply: 'request_id requested_stamps expires_at expires_in_seconds',
  },
  'GET /api/v1/loyalty/multi-stamp/status': {
    callers: 'customer',
    query: 'store_code? store_id?',
    reply: 'has_pending_request request? last_confirmed?',
  },
  'GET /api/v1/loyalty/pending-stamps': { callers: 'merchant staff', query: 'store_id status?', reply: 'stamps' },
  'POST /api/v1/loyalty/pending-stamps/resolve': { callers: 'merchant staff', body: 'store_id stamp_id action', reply: 'action result~' },
  'POST /api/v1/loyalty/redemptions': {
    callers: 'merchant staff',
    body: 'store_id customer_id voucher_id',
    reply: 'voucher_id redemption_code reward_title~',
  },
  'POST /api/v1/loyalty/stamp-codes': {
    callers: 'anyone',
    body: `store_id ttl_seconds? device_info?~ location_info?~ source?~ ${proof}`,
    reply: 'code full_message store_code store_name expires_at message expires_in_seconds presence_verified? deduplicated?',
  },
  'POST /api/v1/loyalty/stamp-codes/redeem': {
    callers: 'anyone',
    body: 'code expected_store_id?~',
    reply:
      'stamp_id~ store_id store_code~ store_name~ approval_reason~ stamp_status counts_now current_stamps goal voucher_earned voucher_id~ voucher_code~ already_redeemed message',
  },
  'POST /api/v1/loyalty/stamps': {
    callers: 'merchant staff',
    body: 'store_id customer_id idempotency_key?~',
    reply: 'stamp_id~ current_stamps goal voucher_earned voucher_code~ idempotent',
  },
  'POST /api/v1/loyalty/stamps/review': {
    callers: 'merchant staff',
    body: 'store_id stamp_id action',
    reply: 'action message stamp_count~ voucher_created voucher_code~',
  },
  'POST /api/v1/loyalty/stamps/sync-offline': { callers: 'customer', body: 'stamps', reply: 'results' },
  'POST /api/v1/loyalty/stamps/undo': { callers: 'merchant staff', body: 'store_id customer_id stamp_id', reply: 'undone current_stamps' },
  'POST /api/v1/queue/join': {
    callers: 'anyone',
    body: 'store_id service_id?~ preferred_unit_id?~ party_size? guest_name?~ guest_phone?~',
    reply: 'entry_id reused expected_wait_min status',
  },
  'POST /api/v1/queue/leave': { callers: 'anyone', body: 'entry_id', reply: 'entry_id status noop' },
  'GET /api/v1/queue/status': { callers: 'anyone', query: 'entry_id? store_id?', reply: 'entry~ called_hold_minutes' },
  'POST /api/v1/notifications/marketing-opt-in': { callers: 'customer', body: 'store_id accepted', reply: 'ok' },
  'GET /api/v1/notifications/preferences': { callers: 'customer customer:read', reply: 'preferences' },
  'POST /api/v1/notifications/preferences': {
    callers: 'customer',
    body: 'storeId messagesMuted? classReminders? classEventsEnabled? voucherEventsEnabled? stampEventsEnabled? membershipEventsEnabled? penaltyEventsEnabled? marketingEnabled?',
    reply: 'storeId updated',
  },
};

/** The fields of the interface's resources, in the same notation. Every other field of a resource is an extension. */
const resources: Readonly<Record<string, string>> = {
  Order:
    'id store_id order_type fulfilment_status~ collection_code~ collection_mode~ requested_collection_at~ accepted_at~ preparing_at~ ready_at~ collected_at~',
  OrderStatusView: 'id store_id status~ order_type~ fulfilled_at~ cancelled_at~',
  OrderChild: 'order_id order_number order_type collection_code~ fulfilment_status prep_minutes~ requested_collection_at~ total_pence~',
  OrderLogEntry: 'at title detail~ actor~ amount_pence~',
  Refund: 'id status~ amount',
  ActiveVoucher: 'id code~ reward_title~ voucher_type~ expires_at~',
  Membership: 'status~ current_period_end~ plan_name~',
  PendingStamp: 'id store_id customer_id~ status source~ approval_reason~ approved~ created_at~ approved_at~ customer',
  EmbeddedCustomer: 'id name~ email~ phone~ identity_user_id~ last_seen~ created_at~ updated_at~',
  ApprovalResult:
    'success? error? limit_reached? monthly_limit? stamps_used? plan_key? stamp_count? voucher_created? voucher_code? voucher_id? stamp_id? message? already_approved?',
  OfflineResult:
    'receipt_id success stamp_id? stamp_status? current_stamps? goal? voucher_earned? voucher_code? duplicate? error? message?',
  QueueEntry:
    'entry_id store_id customer_id~ guest_name~ service_id~ preferred_unit_id~ party_size status joined_at called_at~ quoted_wait_min~ appointment_id~ queue_position~ expected_wait_min~ expected_start~ suggested_unit_id~',
  PreferenceRow:
    'storeId storeName messagesMuted classReminders classEventsEnabled voucherEventsEnabled stampEventsEnabled membershipEventsEnabled penaltyEventsEnabled marketingEnabled',
};

const declared = Object.fromEntries(
  operations.filter(({ extension }) => !extension).map((operation) => [`${operation.method} ${operation.path}`, operation]),
);

test('the contracts declare the routes of the interface and no others', () => {
  expect(Object.keys(declared).sort()).toEqual(Object.keys(documented).sort());
});

test.each(Object.entries(documented))(
  '%s has the callers, request fields and reply fields of the interface, and every other field is marked as an extension',
  (route, { callers, query, body, reply }) => {
    const operation = declared[route] as AnyOperation;
    const { types, optional, scope } = operation.caller;
    expect([...(optional ? ['anyone'] : types), ...(scope ? [scope] : [])].join(' ')).toBe(callers);
    expect(fieldsOf(operation.query, 'input')).toEqual(listOf(query));
    expect(fieldsOf(operation.body, 'input')).toEqual(listOf(body));
    expect(fieldsOf(operation.reply, 'output')).toEqual(listOf(reply));
  },
);

const replies = Object.values(declared).map(({ reply }) => reply);

test.each(Object.entries(resources))(
  '%s has the fields of the interface, and every other one is marked as an extension',
  (name, fields) => {
    const { $defs } = z.toJSONSchema(z.object({ replies: z.tuple(replies as [z.ZodType]) }), { io: 'output' });
    const shape = $defs?.[name] as JsonSchema;
    expect(promisedIn(shape)).toEqual(listOf(fields));
  },
);

const listOf = (text = ''): string[] => text.split(' ').filter(Boolean).sort();

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly 'x-extension'?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

function fieldsOf(schema: z.ZodType | undefined, io: 'input' | 'output'): string[] {
  if (!schema) return [];
  return promisedIn(z.toJSONSchema(schema, { io }) as JsonSchema);
}

function fieldsIn({ properties = {}, required = [] }: JsonSchema): string[] {
  const nullable = ({ type, anyOf }: JsonSchema): boolean => type === 'null' || type?.includes('null') || anyOf?.some(nullable) || false;
  return Object.entries(properties)
    .map(([name, field]) => `${name}${required.includes(name) ? '' : '?'}${nullable(field) ? '~' : ''}`)
    .sort();
}

function promisedIn({ properties = {}, ...shape }: JsonSchema): string[] {
  const promised = Object.entries(properties).filter(([, field]) => field['x-extension'] !== true);
  return fieldsIn({ ...shape, properties: Object.fromEntries(promised) });
}

test('no event carries a secret, and only events of the directory carry personal data', () => {
  const namesIn = (schema: unknown): string[] =>
    typeof schema !== 'object' || schema === null
      ? []
      : [...Object.keys((schema as JsonSchema).properties ?? {}), ...Object.values(schema).flatMap(namesIn)];
  for (const { type, producers, data } of events) {
    const names = namesIn(z.toJSONSchema(data, { io: 'output' }));
    const banned = producers.includes('directory') ? /secret|password|client_secret/ : /secret|token|phone|email|guest_name|identity/;
    expect([type, names.filter((name) => banned.test(name))]).toEqual([type, []]);
  }
});
