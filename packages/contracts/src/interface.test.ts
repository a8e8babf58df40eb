import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { type AnyOperation, events, operations } from './index.ts';

/**
 * The promised interface, written down apart from the contracts: what may be sent and what is answered.
 * `name` is required, `name?` may be absent, `~` after either may be null; what the contracts answer beyond it is additive.
 */
const proof = 'nfc_picc_data?~ nfc_cmac?~ nfc_key_version?~';
const promised: Readonly<
  Record<string, { readonly who: string; readonly query?: string; readonly body?: string; readonly reply: string }>
> = {
  'GET /api/v1/orders': {
    who: 'merchant staff',
    query: 'store_id scope? limit? before? before_id?',
    reply: 'orders scope',
  },
  'POST /api/v1/orders': {
    who: 'customer',
    body: 'store_code store_id idempotency_key items fulfilment? tip_pence?~ promo_code?~ voucher_id?~ order_type? collection_mode? slot_id?~ requested_collection_at?~ device_fingerprint?~ fulfilment_groups?',
    reply:
      'order_id order_number status requires_payment client_secret~ ephemeral_key~ payment_customer_id~ connected_account_id payment_intent_id~ amount_pence currency merchant_name collection_code?~ children?',
  },
  'GET /api/v1/orders/{orderId}': { who: 'merchant staff', query: 'store_id', reply: 'order' },
  'PATCH /api/v1/orders/{orderId}/fulfilment': { who: 'merchant staff', body: 'store_id to_status', reply: 'order' },
  'GET /api/v1/orders/{orderId}/log': { who: 'merchant staff', query: 'store_id?', reply: 'entries' },
  'POST /api/v1/orders/{orderId}/notify-delay': {
    who: 'merchant staff',
    body: 'store_id delayMinutes? newReadyAt? note?~',
    reply: 'ok newEta~ notified channel_detail?',
  },
  'POST /api/v1/orders/{orderId}/refund': {
    who: 'merchant staff',
    body: 'store_id reason amount_pence?~ refund_attempt_id?~',
    reply: 'refund',
  },
  'PATCH /api/v1/orders/{orderId}/status': { who: 'merchant staff', body: 'store_id status note?~', reply: 'order' },
  'POST /api/v1/orders/collect-earlier': {
    who: 'customer',
    body: 'store_id order_id slot_id',
    reply: 'to_slot_id requested_collection_at orders_remaining~',
  },
  'POST /api/v1/orders/confirm': {
    who: 'customer',
    body: 'store_id payment_intent_id',
    reply:
      'order_id order_number status payment_intent_id order_type fulfilment_status total_pence~ currency~ collection_code~ prep_minutes~ applied_voucher_id?~ applied_promo_code?~ applied_promo_label?~ collection_mode?~ requested_collection_at?~ reward_title?~ reward_unlock_message?~ welcome_message?~ subtotal_pence?~ discount_pence?~ promo_discount_pence?~ voucher_discount_pence?~ loyalty_awarded? voucher_minted? is_first_order? ask_marketing_opt_in?~ stamps_added? stamp_count? goal? children?',
  },
  'GET /api/v1/loyalty/customer-state': {
    who: 'merchant staff merchant:read',
    query: 'store_id customer_id',
    reply:
      'stamp_count goal reward_name loyalty_enabled active_vouchers order_count total_spent_pence currency membership phone~ email~ last_visit_at~',
  },
  'POST /api/v1/loyalty/multi-stamp/cancel': { who: 'customer', body: 'request_id', reply: 'cancelled previous_status?' },
  'POST /api/v1/loyalty/multi-stamp/confirm': {
    who: 'customer',
    body: `store_code request_id?~ staff_secret?~ staff_token?~ ${proof}`,
    reply:
      'action stamps_created current_stamps goal vouchers_earned voucher_earned voucher_results store_name store_code background_type store_logo_url~ primary_color~ secondary_color~ background_image_url~ background_color~ stamp_visual~ store_template~ idempotent',
  },
  'POST /api/v1/loyalty/multi-stamp/request': {
    who: 'customer',
    body: 'store_id requested_stamps',
    reply: 'request_id requested_stamps expires_at expires_in_seconds',
  },
  'GET /api/v1/loyalty/multi-stamp/status': {
    who: 'customer',
    query: 'store_code? store_id?',
    reply: 'has_pending_request request? last_confirmed?',
  },
  'GET /api/v1/loyalty/pending-stamps': { who: 'merchant staff', query: 'store_id status?', reply: 'stamps' },
  'POST /api/v1/loyalty/pending-stamps/resolve': { who: 'merchant staff', body: 'store_id stamp_id action', reply: 'action result~' },
  'POST /api/v1/loyalty/redemptions': {
    who: 'merchant staff',
    body: 'store_id customer_id voucher_id',
    reply: 'voucher_id redemption_code reward_title~',
  },
  'POST /api/v1/loyalty/stamp-codes': {
    who: 'anyone',
    body: `store_id ttl_seconds? device_info?~ location_info?~ source?~ ${proof}`,
    reply: 'code full_message store_code store_name expires_at message expires_in_seconds presence_verified? deduplicated?',
  },
  'POST /api/v1/loyalty/stamp-codes/redeem': {
    who: 'anyone',
    body: 'code expected_store_id?~',
    reply:
      'stamp_id~ store_id store_code~ store_name~ approval_reason~ stamp_status counts_now current_stamps goal voucher_earned voucher_id~ voucher_code~ already_redeemed message',
  },
  'POST /api/v1/loyalty/stamps': {
    who: 'merchant staff',
    body: 'store_id customer_id idempotency_key?~',
    reply: 'stamp_id~ current_stamps goal voucher_earned voucher_code~ idempotent',
  },
  'POST /api/v1/loyalty/stamps/review': {
    who: 'merchant staff',
    body: 'store_id stamp_id action',
    reply: 'action message stamp_count~ voucher_created voucher_code~',
  },
  'POST /api/v1/loyalty/stamps/sync-offline': { who: 'customer', body: 'stamps', reply: 'results' },
  'POST /api/v1/loyalty/stamps/undo': { who: 'merchant staff', body: 'store_id customer_id stamp_id', reply: 'undone current_stamps' },
  'POST /api/v1/queue/join': {
    who: 'anyone',
    body: 'store_id service_id?~ preferred_unit_id?~ party_size? guest_name?~ guest_phone?~',
    reply: 'entry_id reused expected_wait_min status',
  },
  'POST /api/v1/queue/leave': { who: 'anyone', body: 'entry_id', reply: 'entry_id status noop' },
  'GET /api/v1/queue/status': { who: 'anyone', query: 'entry_id? store_id?', reply: 'entry~ called_hold_minutes' },
  'POST /api/v1/notifications/marketing-opt-in': { who: 'customer', body: 'store_id accepted', reply: 'ok' },
  'GET /api/v1/notifications/preferences': { who: 'customer customer:read', reply: 'preferences' },
  'POST /api/v1/notifications/preferences': {
    who: 'customer',
    body: 'storeId messagesMuted? classReminders? classEventsEnabled? voucherEventsEnabled? stampEventsEnabled? membershipEventsEnabled? penaltyEventsEnabled? marketingEnabled?',
    reply: 'storeId updated',
  },
};

const told = Object.fromEntries(
  operations.filter(({ extension }) => !extension).map((operation) => [`${operation.method} ${operation.path}`, operation]),
);

test('the routes are those of the interface, and no others', () => {
  expect(Object.keys(told).sort()).toEqual(Object.keys(promised).sort());
});

test.each(Object.entries(promised))(
  '%s takes and answers what the interface says, from whom it says',
  (route, { who, query, body, reply }) => {
    const operation = told[route] as AnyOperation;
    const { types, optional, scope } = operation.caller;
    expect([...(optional ? ['anyone'] : types), ...(scope ? [scope] : [])].join(' ')).toBe(who);
    expect(fieldsOf(operation.query, 'input')).toEqual(words(query));
    expect(fieldsOf(operation.body, 'input')).toEqual(words(body));
    expect(fieldsOf(operation.reply, 'output')).toEqual(words(reply));
  },
);

const words = (text = ''): string[] => text.split(' ').filter(Boolean).sort();

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The fields of a schema as JSON Schema tells them, in the notation above. */
function fieldsOf(schema: z.ZodType | undefined, io: 'input' | 'output'): string[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io }) as JsonSchema;
  const nullable = ({ type, anyOf }: JsonSchema): boolean => type === 'null' || type?.includes('null') || anyOf?.some(nullable) || false;
  return Object.entries(properties)
    .map(([name, field]) => `${name}${required.includes(name) ? '' : '?'}${nullable(field) ? '~' : ''}`)
    .sort();
}

test('only the directory tells personal data, and nobody tells a secret', () => {
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
