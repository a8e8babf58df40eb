import { z } from 'zod';
import { anyone, customer, defineOperation, merchant, orPartner, type RateLimit, scoped } from '../operation.ts';
import { ChangedBy, Currency, CustomerId, extension, Instant, RequestId, StampId, StoreId, VoucherId } from '../vocabulary.ts';
import { ActiveVoucher, ApprovalResult, Driver, Membership, OfflineResult, PendingStamp, proof, SentReceipt } from './shapes.ts';

export * from './counter-operations.ts';
export * from './evidence-operations.ts';
export * from './own-card-operations.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const ana = '0190a000-0000-7000-8000-0000000000a1';
const someStamp = '0190a000-0000-7000-8000-0000000000b1';
const someVoucher = '0190a000-0000-7000-8000-0000000000c1';
const someRequest = '0190a000-0000-7000-8000-0000000000d1';

const service = 'loyalty';

const byAddress = (limit: number): RateLimit => ({ by: 'address', limit, windowSeconds: 60 });
const byPrincipal = (limit: number): RateLimit => ({ by: 'principal', limit, windowSeconds: 60 });

const by = extension(
  ChangedBy.nullable().describe('Who at the store made the last change: the caller, or who made it before. Null when no one there did.'),
);

const Review = z.enum(['approve', 'reject']).describe('Whether the stamp counts.');

export const customerState = defineOperation({
  name: 'customerState',
  service,
  method: 'GET',
  path: '/api/v1/loyalty/customer-state',
  summary: 'Read a customer’s loyalty state at a store.',
  description:
    'Returns the stamps toward the next reward, active vouchers, order count, net spend and membership. For an unknown customer all counts are zero. Phone and email are null for the role staff, and until the customer has ordered, redeemed a code, tapped, synced a receipt or joined the queue at this store; what staff do for a customer opens nothing. last_visit_at is the last of any of these, and of a grant, a confirmation or a redemption by staff.',
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
    driver: extension(Driver),
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
  description:
    'Returns cancelled=true also for a request that is unknown, already resolved, or belongs to another customer. previous_status is returned for the customer’s own requests only.',
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
    'Authorization carries the customer’s token. Staff confirm with their auth card (staff_secret) or a staff session (staff_token, or the header X-Staff-Token). With an auth card, the proof of a tap at the store is required too, unless the store accepts the card alone. All stamps are created together. The counter of the NFC tag is consumed only when a request is resolved.',
  caller: customer,
  body: z.object({
    store_code: z.string().min(1).max(64).describe('The code or the id of the store.'),
    request_id: RequestId.nullish().describe('The request to confirm. The customer’s pending request when absent.'),
    staff_secret: z.string().max(256).nullish().describe('The public token id of a staff auth card.'),
    staff_token: z.string().max(4096).nullish().describe('A staff session token.'),
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
    idempotent: z.boolean().describe('True when the request had been confirmed before.'),
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
  headers: { 'X-Staff-Token': 'A staff session token, as an alternative to staff_token in the body.' },
  example: { body: { store_code: 'S1', staff_secret: 'card_0123456789abcdef0123456789abcdef' } },
});

export const requestMultiStamp = defineOperation({
  name: 'requestMultiStamp',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/multi-stamp/request',
  summary: 'Request several stamps at once.',
  description: 'Creates a pending request that staff must confirm within 60 seconds. A customer can have one pending request.',
  caller: customer,
  body: z.object({
    store_id: z.string().min(1).max(64).describe('The id or the code of the store.'),
    requested_stamps: z.int().min(1).max(100).describe('At most the store’s limit, and at most its goal.'),
  }),
  reply: z.object({ request_id: z.string(), requested_stamps: z.number(), expires_at: z.string(), expires_in_seconds: z.number() }),
  problems: [
    'STORE_NOT_FOUND',
    'MULTI_STAMP_DISABLED',
    'PLAN_NOT_ENTITLED',
    'STORE_FROZEN',
    'MULTI_STAMP_MONTHLY_CEILING',
    'MONTHLY_LIMIT_REACHED',
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
  summary: 'Read the status of a multi-stamp request.',
  description:
    'Returns the pending request, or else the last request confirmed within the past 60 seconds. For an unknown or inactive store, has_pending_request is false.',
  caller: customer,
  query: z
    .object({
      store_code: z.string().max(64).optional().describe('The code or the id of the store.'),
      store_id: StoreId.optional().describe('The store, as an alternative to store_code.'),
    })
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
  summary: 'List pending stamps, or stamps of another status.',
  description:
    'Newest first, at most 100, each with the customer who collected it. Of pending ones, those of guests fill the room that customers leave; listGuestStamps has them all. Name and contact data are null until the customer has done something at this store; contact data, as in customerState, for the role staff too.',
  caller: orPartner(merchant, 'loyalty:read'),
  query: z.object({
    store_id: StoreId,
    status: z.enum(['pending', 'approved', 'rejected', 'undone', 'reversed']).default('pending').describe('Stamps of which status.'),
  }),
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
  description:
    'For an approval, result holds the outcome, also when the plan’s monthly quota prevented it. For a rejection, result is null.',
  caller: merchant,
  body: z.object({ store_id: StoreId, stamp_id: StampId, action: Review }),
  reply: z.object({ action: z.enum(['approve', 'reject']), result: ApprovalResult.nullable(), by }),
  problems: ['STAMP_NOT_FOUND', 'STAMP_ALREADY_REJECTED', 'STAMP_ALREADY_APPROVED', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  keeps: ({ result }) => result?.success !== false,
  example: { body: { store_id: demoStore, stamp_id: someStamp, action: 'approve' } },
});

export const redeemVoucher = defineOperation({
  name: 'redeemVoucher',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/redemptions',
  summary: 'Redeem a voucher at the counter.',
  description: 'A voucher is redeemed once, also when several requests arrive at the same time. No one but an owner redeems their own.',
  caller: orPartner(merchant, 'loyalty:grant'),
  body: z.object({ store_id: StoreId, customer_id: CustomerId, voucher_id: VoucherId }),
  reply: z.object({ voucher_id: z.string(), redemption_code: z.string(), reward_title: z.string().nullable(), by }),
  problems: ['VOUCHER_NOT_FOUND', 'VOUCHER_ALREADY_REDEEMED', 'VOUCHER_EXPIRED', 'VOUCHER_RESERVED', 'VOUCHER_VOIDED', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  example: { body: { store_id: demoStore, customer_id: ana, voucher_id: someVoucher } },
});

export const generateStampCode = defineOperation({
  name: 'generateStampCode',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/stamp-codes',
  summary: 'Generate a one-time stamp code.',
  description:
    'An NFC proof is verified and its counter consumed, which proves presence. A repeat with the same tap or the same Idempotency-Key returns the same code. A signed-in customer gets the same code for 60 seconds.',
  caller: anyone,
  body: z.object({
    store_id: StoreId,
    ttl_seconds: z.int().min(15).max(300).default(60).describe('Seconds for which the code can be redeemed.'),
    device_info: z
      .string()
      .max(512)
      .nullish()
      .describe(
        'An opaque fingerprint of the customer’s device. Stamps of a device that is used for five customers of a store within a day await approval. A device of the store that many share sends none.',
      ),
    location_info: z.string().max(512).nullish().describe('Accepted, and neither read nor kept.'),
    source: z.string().max(16).nullish().describe('nfc or n, qr or q; anything else is web. An NFC proof makes it nfc.'),
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
    presence_verified: z.boolean().optional().describe('True when an NFC proof was verified.'),
    deduplicated: z.boolean().optional().describe('True when the code had been issued before.'),
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
    'Letter case and a STAMP- prefix are ignored. The code is the idempotency key: a repeat by the same customer returns the stamp of the first request. Without the proof of a tap the stamp awaits approval, unless the store lets such codes count at once. It awaits approval too when the device was used for five customers of the store within a day (approval_reason shared_device).',
  caller: anyone,
  body: z.object({
    code: z.string().trim().min(1).max(32).describe('The code as it was shown or typed.'),
    expected_store_id: StoreId.nullish().describe('The store that the code must belong to.'),
    device_info: extension(
      z.string().max(512).nullish().describe('An opaque fingerprint of the customer’s device, as in generateStampCode.'),
    ),
  }),
  reply: z.object({
    stamp_id: z.string().nullable(),
    store_id: z.string(),
    store_code: z.string().nullable(),
    store_name: z.string().nullable(),
    approval_reason: z.string().nullable(),
    stamp_status: z.enum(['approved', 'pending']),
    counts_now: z.boolean().describe('False while the stamp awaits approval.'),
    current_stamps: z.int(),
    goal: z.int(),
    voucher_earned: z.boolean(),
    voucher_id: z.string().nullable(),
    voucher_code: z.string().nullable(),
    already_redeemed: z.boolean().describe('True on a repeat by the same customer.'),
    message: z.string(),
  }),
  problems: [
    'CODE_NOT_FOUND',
    'CODE_EXPIRED',
    'CODE_ALREADY_USED',
    'CODE_WRONG_STORE',
    'LOYALTY_DISABLED',
    'DAILY_LIMIT_REACHED',
    'MONTHLY_LIMIT_REACHED',
  ],
  replay: 'header',
  // The limit on failures stops guessing. The limit on all requests is wide, because the customers of a shop may share one address.
  limits: [byAddress(60), { by: 'address', counts: 'failures', limit: 20, windowSeconds: 300 }],
  example: { body: { code: 'STAMP-7K2M9QXR', expected_store_id: demoStore } },
});

export const grantStamp = defineOperation({
  name: 'grantStamp',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/stamps',
  summary: 'Grant a stamp at the counter.',
  description:
    'The daily and monthly limits apply. A repeat with the same idempotency_key returns the first stamp. No one but an owner grants one to themselves.',
  caller: orPartner(merchant, 'loyalty:grant'),
  body: z.object({
    store_id: StoreId,
    customer_id: CustomerId,
    idempotency_key: z.string().min(1).max(255).nullish().describe('A repeat with the same key returns the first stamp.'),
  }),
  reply: z.object({
    stamp_id: z.string().nullable(),
    current_stamps: z.number(),
    goal: z.number(),
    voucher_earned: z.boolean(),
    voucher_code: z.string().nullable(),
    idempotent: z.boolean(),
    by,
  }),
  problems: ['STORE_NOT_FOUND', 'LOYALTY_DISABLED', 'DAILY_LIMIT_REACHED', 'MONTHLY_LIMIT_REACHED', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  example: { body: { store_id: demoStore, customer_id: ana, idempotency_key: '0c8a4a3e-2a0e-4e37-8a53-6f6f5a3e9b10' } },
});

export const reviewStamp = defineOperation({
  name: 'reviewStamp',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/stamps/review',
  summary: 'Review a pending stamp.',
  description:
    'Approves or rejects like resolvePendingStamp, but returns the outcome as fields of the response, and a reached limit as an error.',
  caller: merchant,
  body: z.object({ store_id: StoreId, stamp_id: StampId, action: Review }),
  reply: z.object({
    action: z.enum(['approve', 'reject']),
    message: z.string(),
    stamp_count: z.number().nullable(),
    voucher_created: z.boolean(),
    voucher_code: z.string().nullable(),
    by,
  }),
  problems: ['STAMP_NOT_FOUND', 'STAMP_ALREADY_REJECTED', 'STAMP_ALREADY_APPROVED', 'MONTHLY_LIMIT_REACHED', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  example: { body: { store_id: demoStore, stamp_id: someStamp, action: 'reject' } },
});

export const syncOfflineStamps = defineOperation({
  name: 'syncOfflineStamps',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/stamps/sync-offline',
  summary: 'Sync taps that were made offline.',
  description:
    'Each receipt succeeds or fails on its own, also one of a wrong shape (invalid_receipt). The results are in the order of the receipts. A receipt that was synced before returns duplicate=true.',
  caller: customer,
  body: z.object({
    stamps: z.array(SentReceipt).min(1).max(20).describe('What the phone kept of each tap.'),
  }),
  reply: z.object({ results: z.array(OfflineResult) }),
  problems: [],
  replay: 'header',
  keeps: ({ results }) => results.every(({ success }) => success),
  example: { body: { stamps: [{ receipt_id: 'tap-1', store_code: 'S1' }] } },
});

export const undoStamp = defineOperation({
  name: 'undoStamp',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/stamps/undo',
  summary: 'Undo a granted stamp.',
  description: 'Only a stamp that the store granted and that has not earned a voucher can be undone. A repeat changes nothing.',
  caller: orPartner(merchant, 'loyalty:grant'),
  body: z.object({ store_id: StoreId, customer_id: CustomerId, stamp_id: StampId }),
  reply: z.object({ undone: z.boolean(), current_stamps: z.number(), by }),
  problems: ['STAMP_NOT_FOUND', 'STAMP_NOT_UNDOABLE', 'STAMP_ALREADY_USED'],
  replay: 'header',
  example: { body: { store_id: demoStore, customer_id: ana, stamp_id: someStamp } },
});
