import { z } from 'zod';
import { ChangedBy, extension, Instant, Pence } from '../vocabulary.ts';

export const cardEntryKinds = [
  'stamp',
  'stamp_waiting',
  'stamp_lost',
  'voucher_earned',
  'voucher_used',
  'voucher_expired',
  'voucher_taken_back',
] as const;

export const stampLosses = ['refund', 'dispute', 'correction', 'rejection'] as const;

export const noStampDecisions = [
  'no_programme',
  'programme_off',
  'rewards_visits',
  'rewards_membership',
  'below_min_spend',
  'no_stamps_for_orders',
  'refunded',
] as const;

export const NoStamp = z.object({
  reason: z.enum(noStampDecisions),
  /** Without a tip; null unless the minimum spend was the reason. */
  min_spend_pence: Pence.nullable(),
});
export type NoStamp = z.output<typeof NoStamp>;

/** A field is null when the store has not set it. */
export const CardLook = z.object({
  logo_url: z.string().nullable(),
  primary_color: z.string().nullable(),
  secondary_color: z.string().nullable(),
  background_type: z.string(),
  background_image_url: z.string().nullable(),
  background_color: z.string().nullable(),
  stamp_visual: z.string().nullable(),
  store_template: z.string().nullable(),
});

export const ActiveVoucher = z
  .object({
    id: z.string(),
    code: z.string().nullable(),
    reward_title: z.string().nullable(),
    voucher_type: z.string().nullable(),
    expires_at: Instant.nullable(),
  })
  .meta({ id: 'ActiveVoucher' });

export const Membership = z
  .object({ status: z.string().nullable(), current_period_end: Instant.nullable(), plan_name: z.string().nullable() })
  .meta({ id: 'Membership' });

export const EmbeddedCustomer = z
  .object({
    id: z.string().describe('`guest` when the customer is unknown.'),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    identity_user_id: z.string().nullable(),
    last_seen: Instant.nullable(),
    created_at: Instant.nullable(),
    updated_at: Instant.nullable(),
  })
  .meta({ id: 'EmbeddedCustomer' });

export const PendingStamp = z
  .object({
    id: z.string(),
    store_id: z.string(),
    customer_id: z.string().nullable(),
    status: z.string(),
    source: z.string().nullable(),
    approval_reason: z.string().nullable(),
    approved: z.boolean().nullable(),
    created_at: Instant.nullable(),
    approved_at: Instant.nullable(),
    customer: EmbeddedCustomer,
    by: extension(ChangedBy.nullable().describe('Who at the store granted, reviewed or undid it last. Null when no one there did.')),
  })
  .meta({ id: 'PendingStamp' });

export const ApprovalResult = z
  .object({
    success: z.boolean().optional(),
    error: z.string().optional(),
    limit_reached: z.boolean().optional(),
    monthly_limit: z.number().optional(),
    stamps_used: z.number().optional(),
    plan_key: z.string().optional(),
    stamp_count: z.number().optional(),
    voucher_created: z.boolean().optional(),
    voucher_code: z.string().optional(),
    voucher_id: z.string().optional(),
    stamp_id: z.string().optional(),
    message: z.string().optional(),
    already_approved: z.boolean().optional(),
  })
  .meta({ id: 'ApprovalResult' });

export const Driver = z
  .enum(['orders', 'visits', 'membership'])
  .describe(
    'What the programme rewards: paid orders, completed visits from the queue, or a membership, each period of which earns a stamp.',
  );

export const FoundCustomer = z
  .object({
    customer: EmbeddedCustomer,
    stamp_count: z.int(),
    goal: z.int().describe('Stamps that earn a reward. 0 for a store without a programme.'),
    reward_name: z.string(),
    driver: Driver,
    order_count: z.int().describe('Orders that were paid at the store.'),
    active_vouchers: z.array(ActiveVoucher),
    membership: Membership.nullable().describe('The customer’s membership of the store. Null without one.'),
  })
  .meta({ id: 'FoundCustomer' });

export const LoyaltyLogEntry = z
  .object({
    id: z.string().describe('The cursor of the next page.'),
    at: Instant,
    title: z.string().describe('A sentence for the store.'),
    by: ChangedBy,
    customer_id: z.string().nullable().describe('Whose card it is about. Null for a guest, who has none.'),
    customer_name: z.string().nullable().describe('Null for a guest, and until the customer has done something at the store.'),
    stamp_id: z.string().nullable().describe('The stamp it is about. Null for a voucher, and for several stamps at once.'),
    voucher_id: z.string().nullable().describe('The voucher it is about.'),
  })
  .meta({ id: 'LoyaltyLogEntry' });

/** Together the three values, of a tap on an NTAG 424 tag, prove the tap. */
export const proof = {
  nfc_picc_data: z.string().max(64).nullish().describe('What the tag says of itself, encrypted, as the phone read it.'),
  nfc_cmac: z.string().max(32).nullish().describe('The signature of the tap, as the phone read it.'),
  nfc_key_version: z.string().max(16).nullish().describe('Which of the platform’s keys the tag was written with.'),
};

const OfflineReceipt = z.object({
  receipt_id: z.string().max(255).nullish().describe('Identifies the receipt. Without it the receipt fails with missing_fields.'),
  store_code: z.string().max(64).nullish().describe('The id or the code of the store. Without it the receipt fails with missing_fields.'),
  tap_timestamp: z.string().max(64).nullish().describe('The time of the tap, ISO 8601.'),
  source: z.string().max(32).nullish().describe('offline_nfc when absent.'),
  ...proof,
});

/**
 * Read on its own: a receipt of another shape does not refuse the batch, but has a `fault` in place of the receipt. Nothing else of it is
 * passed on, however deep it is nested.
 */
export const SentReceipt = z
  .unknown()
  .meta(z.toJSONSchema(OfflineReceipt, { io: 'input' }))
  .transform((sent) => {
    const { data, error } = OfflineReceipt.refine(hasNoNul, 'holds a NUL character, which no text may').safeParse(sent);
    return data ? { receipt: data, fault: null } : { receipt: null, fault: { receiptId: receiptIdOf(sent), message: describe(error) } };
  });

const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0');
const hasNoNul = (receipt: object): boolean => Object.values(receipt).every((value) => typeof value !== 'string' || isText(value));

function receiptIdOf(sent: unknown): string {
  const id = (sent as { readonly receipt_id?: unknown } | null)?.receipt_id;
  return isText(id) ? id : '';
}

function describe({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.length ? `${issue.path.join('.')}: ` : ''}${issue?.message}`;
}

export const OfflineResult = z
  .object({
    receipt_id: z.string(),
    success: z.boolean(),
    stamp_id: z.string().optional(),
    stamp_status: z.enum(['pending', 'approved']).optional(),
    current_stamps: z.number().optional(),
    goal: z.number().optional(),
    voucher_earned: z.boolean().optional(),
    voucher_code: z.string().optional(),
    duplicate: z.boolean().optional(),
    error: z.string().optional(),
    message: z.string().optional(),
  })
  .meta({ id: 'OfflineResult' });
