import { z } from 'zod';
import { anyone, customer, defineOperation, merchant, type RateLimit, scoped } from '../operation.ts';
import { Currency, CustomerId, Instant, RequestId, StampId, StoreId, VoucherId } from '../vocabulary.ts';
import { ActiveVoucher, ApprovalResult, Membership, OfflineResult, PendingStamp } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const ana = '0190a000-0000-7000-8000-0000000000a1';
const someStamp = '0190a000-0000-7000-8000-0000000000b1';
const someVoucher = '0190a000-0000-7000-8000-0000000000c1';
const someRequest = '0190a000-0000-7000-8000-0000000000d1';

const service = 'loyalty';

/** The three values a tap on an NTAG 424 yields. Together they are one proof. */
const proof = {
  nfc_picc_data: z.string().max(64).nullish(),
  nfc_cmac: z.string().max(32).nullish(),
  nfc_key_version: z.string().max(16).nullish(),
};

const byAddress = (limit: number): RateLimit => ({ by: 'address', limit, windowSeconds: 60 });
const byPrincipal = (limit: number): RateLimit => ({ by: 'principal', limit, windowSeconds: 60 });

export const customerState = defineOperation({
  name: 'customerState',
  service,
  method: 'GET',
  path: '/api/v1/loyalty/customer-state',
  summary: 'Where a customer stands with a store.',
  description:
    'Stamps toward the next reward, vouchers to redeem, orders and net spend, membership. A customer never seen answers zeros; phone, e-mail and last visit are shown only once the customer has dealt with this store.',
  caller: scoped(merchant, 'merchant:read'),
  query: z.object({ store_id: StoreId, customer_id: CustomerId }),
  reply: z.object({
    stamp_count: z.number(),
    goal: z.number(),
    reward_name: z.string(),
    loyalty_enabled: z.boolean(),
    active_vouchers: z.array(ActiveVoucher),
    order_count: z.number(),
    total_spent_pence: z.number(),
    currency: Currency,
    membership: Membership,
    phone: z.string().nullable(),
    email: z.string().nullable(),
    last_visit_at: Instant.nullable(),
  }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_SCOPE'],
  replay: 'none',
  limits: [byPrincipal(120)],
  example: { query: { store_id: demoStore, customer_id: ana } },
});

export const cancelMultiStamp = defineOperation({
  name: 'cancelMultiStamp',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/multi-stamp/cancel',
  summary: 'Cancel a multi-stamp request.',
  description: 'Missing, resolved and not owned all answer cancelled=true; another’s request shows no previous status.',
  caller: customer,
  body: z.object({ request_id: RequestId }),
  reply: z.object({ cancelled: z.boolean(), previous_status: z.string().optional() }),
  problems: [],
  replay: 'header',
  example: { body: { request_id: someRequest } },
});

export const confirmMultiStamp = defineOperation({
  name: 'confirmMultiStamp',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/multi-stamp/confirm',
  summary: 'Confirm a multi-stamp request with a staff credential.',
  description:
    'The customer’s session asks; staff vouch by auth card (staff_secret) or staff session (staff_token, or the header X-Staff-Token). All stamps are made at once. A tag’s counter is used up only when a request is resolved.',
  caller: customer,
  body: z.object({
    store_code: z.string().min(1).max(64),
    request_id: RequestId.nullish(),
    staff_secret: z.string().max(256).nullish(),
    staff_token: z.string().max(4096).nullish(),
    ...proof,
  }),
  reply: z.object({
    action: z.string(),
    stamps_created: z.number(),
    current_stamps: z.number(),
    goal: z.number(),
    vouchers_earned: z.number(),
    voucher_earned: z.boolean(),
    voucher_results: z.array(
      z.object({ voucher_id: z.string(), voucher_code: z.string(), reward_title: z.string().nullable(), expires_at: Instant.nullable() }),
    ),
    store_name: z.string(),
    store_code: z.string(),
    background_type: z.string(),
    store_logo_url: z.string().nullable(),
    primary_color: z.string().nullable(),
    secondary_color: z.string().nullable(),
    background_image_url: z.string().nullable(),
    background_color: z.string().nullable(),
    stamp_visual: z.string().nullable(),
    store_template: z.string().nullable(),
    idempotent: z.boolean(),
  }),
  problems: [
    'STORE_NOT_FOUND',
    'STAFF_CREDENTIAL_REQUIRED',
    'STAFF_CREDENTIAL_INVALID',
    'NO_PENDING_REQUEST',
    'MULTI_STAMP_EXPIRED',
    'MULTI_STAMP_MONTHLY_CEILING',
    'MONTHLY_LIMIT_REACHED',
    'NFC_PROOF_INCOMPLETE',
    'NFC_PROOF_REQUIRED',
    'NFC_PROOF_INVALID',
    'NFC_TAG_WRONG_STORE',
    'NFC_TAP_REPLAYED',
  ],
  replay: 'header',
  headers: { 'X-Staff-Token': 'A staff session token: the other place for staff_token.' },
  example: { body: { store_code: 'S1', staff_secret: 'card_0123456789abcdef0123456789abcdef' } },
});

export const requestMultiStamp = defineOperation({
  name: 'requestMultiStamp',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/multi-stamp/request',
  summary: 'Ask for several stamps at once.',
  description: 'Makes a request that staff confirm within 60 seconds. One at a time.',
  caller: customer,
  body: z.object({ store_id: z.string().min(1).max(64), requested_stamps: z.int().min(1).max(100) }),
  reply: z.object({ request_id: z.string(), requested_stamps: z.number(), expires_at: z.string(), expires_in_seconds: z.number() }),
  problems: [
    'STORE_NOT_FOUND',
    'MULTI_STAMP_DISABLED',
    'PLAN_NOT_ENTITLED',
    'STORE_FROZEN',
    'MULTI_STAMP_MONTHLY_CEILING',
    'MULTI_STAMP_PENDING',
  ],
  replay: 'header',
  example: { body: { store_id: 'S1', requested_stamps: 2 } },
});

export const multiStampStatus = defineOperation({
  name: 'multiStampStatus',
  service,
  method: 'GET',
  path: '/api/v1/loyalty/multi-stamp/status',
  summary: 'How a multi-stamp request stands.',
  description: 'The pending request, else the last one confirmed within 60 seconds. An unknown store answers no request.',
  caller: customer,
  query: z
    .object({ store_code: z.string().max(64).optional(), store_id: StoreId.optional() })
    .refine(({ store_code, store_id }) => store_code || store_id, { path: ['store_id'], error: 'is required when store_code is absent' }),
  reply: z.object({
    has_pending_request: z.boolean(),
    request: z
      .object({ id: z.string(), requested_stamps: z.number(), status: z.string(), expires_at: z.string(), remaining_seconds: z.number() })
      .optional(),
    last_confirmed: z.object({ id: z.string(), requested_stamps: z.number(), status: z.string(), confirmed_at: z.string() }).optional(),
  }),
  problems: [],
  replay: 'none',
  example: { query: { store_code: 'S1' } },
});

export const listPendingStamps = defineOperation({
  name: 'listPendingStamps',
  service,
  method: 'GET',
  path: '/api/v1/loyalty/pending-stamps',
  summary: 'List stamps by status, pending ones as a rule.',
  description: 'Newest first, at most 100, each with its customer.',
  caller: merchant,
  query: z.object({ store_id: StoreId, status: z.enum(['pending', 'approved', 'rejected', 'undone', 'reversed']).default('pending') }),
  reply: z.object({ stamps: z.array(PendingStamp) }),
  problems: [],
  replay: 'none',
  example: { query: { store_id: demoStore, status: 'pending' } },
});

export const resolvePendingStamp = defineOperation({
  name: 'resolvePendingStamp',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/pending-stamps/resolve',
  summary: 'Approve or reject a pending stamp.',
  description: 'result tells how an approval went, also when the plan’s quota stopped it; it is null on a rejection.',
  caller: merchant,
  body: z.object({ store_id: StoreId, stamp_id: StampId, action: z.enum(['approve', 'reject']) }),
  reply: z.object({ action: z.enum(['approve', 'reject']), result: ApprovalResult.nullable() }),
  problems: ['STAMP_NOT_FOUND', 'STAMP_ALREADY_REJECTED', 'STAMP_ALREADY_APPROVED'],
  replay: 'header',
  example: { body: { store_id: demoStore, stamp_id: someStamp, action: 'approve' } },
});

export const redeemVoucher = defineOperation({
  name: 'redeemVoucher',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/redemptions',
  summary: 'Redeem a voucher at the counter.',
  description: 'It is redeemed once, however many try.',
  caller: merchant,
  body: z.object({ store_id: StoreId, customer_id: CustomerId, voucher_id: VoucherId }),
  reply: z.object({ voucher_id: z.string(), redemption_code: z.string(), reward_title: z.string().nullable() }),
  problems: ['VOUCHER_NOT_FOUND', 'VOUCHER_ALREADY_REDEEMED', 'VOUCHER_EXPIRED', 'VOUCHER_RESERVED', 'VOUCHER_VOIDED'],
  replay: 'header',
  example: { body: { store_id: demoStore, customer_id: ana, voucher_id: someVoucher } },
});

export const generateStampCode = defineOperation({
  name: 'generateStampCode',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/stamp-codes',
  summary: 'Mint a one-time stamp code.',
  description:
    'With a tap’s proof the tag’s counter is used up and presence is proved; the same tap, or the same Idempotency-Key, again answers the same code. A signed-in customer asking again within 60 seconds gets the same code.',
  caller: anyone,
  body: z.object({
    store_id: StoreId,
    ttl_seconds: z.int().min(15).max(300).default(60),
    device_info: z.string().max(512).nullish(),
    location_info: z.string().max(512).nullish(),
    source: z.string().max(16).nullish(),
    ...proof,
  }),
  reply: z.object({
    code: z.string(),
    full_message: z.string(),
    store_code: z.string(),
    store_name: z.string(),
    expires_at: z.string(),
    message: z.string(),
    expires_in_seconds: z.number(),
    presence_verified: z.boolean().optional(),
    deduplicated: z.boolean().optional(),
  }),
  problems: [
    'STORE_NOT_FOUND',
    'LOYALTY_DISABLED',
    'NFC_PROOF_INCOMPLETE',
    'NFC_PROOF_REQUIRED',
    'NFC_PROOF_INVALID',
    'NFC_TAG_WRONG_STORE',
    'NFC_TAP_REPLAYED',
  ],
  replay: 'header',
  unstored: true,
  limits: [
    { by: 'address+store', limit: 60, windowSeconds: 60 },
    { by: 'principal', limit: 10, windowSeconds: 60 },
  ],
  example: { body: { store_id: demoStore, ttl_seconds: 60 } },
});

export const redeemStampCode = defineOperation({
  name: 'redeemStampCode',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/stamp-codes/redeem',
  summary: 'Redeem a one-time stamp code.',
  description:
    'Case and a STAMP- prefix do not matter. The code is its own idempotency key: a repeat by the same customer answers the first stamp.',
  caller: anyone,
  body: z.object({ code: z.string().trim().min(1).max(32), expected_store_id: StoreId.nullish() }),
  reply: z.object({
    stamp_id: z.string().nullable(),
    store_id: z.string(),
    store_code: z.string().nullable(),
    store_name: z.string().nullable(),
    approval_reason: z.string().nullable(),
    stamp_status: z.enum(['approved', 'pending']),
    counts_now: z.boolean(),
    current_stamps: z.int(),
    goal: z.int(),
    voucher_earned: z.boolean(),
    voucher_id: z.string().nullable(),
    voucher_code: z.string().nullable(),
    already_redeemed: z.boolean(),
    message: z.string(),
  }),
  problems: [
    'CODE_NOT_FOUND',
    'CODE_EXPIRED',
    'CODE_ALREADY_USED',
    'CODE_WRONG_STORE',
    'STORE_NOT_FOUND',
    'LOYALTY_DISABLED',
    'DAILY_LIMIT_REACHED',
    'MONTHLY_LIMIT_REACHED',
  ],
  replay: 'header',
  // Guessing is stopped by counting refusals; a shop's guests share one address, so the limit on all requests stays wide.
  limits: [byAddress(60), { by: 'address', counts: 'failures', limit: 20, windowSeconds: 300 }],
  example: { body: { code: 'STAMP-7K2M9QXR', expected_store_id: demoStore } },
});

export const grantStamp = defineOperation({
  name: 'grantStamp',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/stamps',
  summary: 'Grant a stamp at the counter.',
  description: 'Within the daily and the plan’s monthly limit. A repeat with the same idempotency_key answers the first stamp.',
  caller: merchant,
  body: z.object({ store_id: StoreId, customer_id: CustomerId, idempotency_key: z.string().min(1).max(255).nullish() }),
  reply: z.object({
    stamp_id: z.string().nullable(),
    current_stamps: z.number(),
    goal: z.number(),
    voucher_earned: z.boolean(),
    voucher_code: z.string().nullable(),
    idempotent: z.boolean(),
  }),
  problems: ['STORE_NOT_FOUND', 'LOYALTY_DISABLED', 'DAILY_LIMIT_REACHED', 'MONTHLY_LIMIT_REACHED'],
  replay: 'header',
  example: { body: { store_id: demoStore, customer_id: ana, idempotency_key: '0c8a4a3e-2a0e-4e37-8a53-6f6f5a3e9b10' } },
});

export const reviewStamp = defineOperation({
  name: 'reviewStamp',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/stamps/review',
  summary: 'Review a pending stamp.',
  description: 'The same deed as resolving it, with the outcome in the answer and the limits as refusals.',
  caller: merchant,
  body: z.object({ store_id: StoreId, stamp_id: StampId, action: z.enum(['approve', 'reject']) }),
  reply: z.object({
    action: z.enum(['approve', 'reject']),
    message: z.string(),
    stamp_count: z.number().nullable(),
    voucher_created: z.boolean(),
    voucher_code: z.string().nullable(),
  }),
  problems: ['STAMP_NOT_FOUND', 'STAMP_ALREADY_REJECTED', 'STAMP_ALREADY_APPROVED', 'MONTHLY_LIMIT_REACHED'],
  replay: 'header',
  example: { body: { store_id: demoStore, stamp_id: someStamp, action: 'reject' } },
});

export const syncOfflineStamps = defineOperation({
  name: 'syncOfflineStamps',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/stamps/sync-offline',
  summary: 'Sync taps made offline.',
  description: 'Each receipt stands for itself and keeps its place in the results; a receipt already synced answers duplicate=true.',
  caller: customer,
  body: z.object({
    stamps: z
      .array(
        z.object({
          receipt_id: z.string().max(255).nullish(),
          store_code: z.string().max(64).nullish(),
          tap_timestamp: z.string().max(64).nullish(),
          source: z.string().max(32).nullish(),
          ...proof,
        }),
      )
      .min(1)
      .max(20),
  }),
  reply: z.object({ results: z.array(OfflineResult) }),
  problems: [],
  replay: 'header',
  example: { body: { stamps: [{ receipt_id: 'tap-1', store_code: 'S1' }] } },
});

export const undoStamp = defineOperation({
  name: 'undoStamp',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/stamps/undo',
  summary: 'Take a granted stamp back.',
  description: 'Only one the store granted and nothing has used. Undone already: nothing happens.',
  caller: merchant,
  body: z.object({ store_id: StoreId, customer_id: CustomerId, stamp_id: StampId }),
  reply: z.object({ undone: z.boolean(), current_stamps: z.number() }),
  problems: ['STAMP_NOT_FOUND', 'STAMP_NOT_UNDOABLE', 'STAMP_ALREADY_USED'],
  replay: 'header',
  example: { body: { store_id: demoStore, customer_id: ana, stamp_id: someStamp } },
});
