import { z } from 'zod';
import { isCurrency } from '../currencies.ts';
import { Currency, CustomerId, InstantInput, MenuItemId, Pence, SlotId, StoreId } from '../vocabulary.ts';

/**
 * Data that is managed outside Corner and reaches the services as snapshots. A snapshot is complete, not a difference.
 * A service keeps the snapshot with the highest `version` and ignores older ones.
 */
const snapshot = { version: z.int().min(1) };
const PushDevice = z.object({ id: z.string(), platform: z.enum(['ios', 'android', 'web']) });
const hexColour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #1f2a44');
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 09:30');
const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/London');

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** The languages that every message exists in. */
export const languages = ['en', 'fr'] as const;
/** A language of messages. A regional tag such as `fr-CA` means its base language; a language that no message exists in means English. */
const Language = z
  .string()
  .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, 'must be a language tag such as en or fr-CA')
  .transform((tag) => languages.find((language) => language === tag.split('-')[0]?.toLowerCase()) ?? 'en')
  .pipe(z.enum(languages));
export type Language = (typeof languages)[number];

/** Where to reach a person at the store. Each address that is given is used. */
const StoreContact = z.object({
  name: z.string().min(1).max(120).nullable().default(null),
  email: z.email().nullable().default(null),
  phone: z.e164('must be a phone number such as +447700900123').nullable().default(null),
  push_devices: z.array(PushDevice).default([]),
});

/** A percentage is at most 100. */
const withinWhole = ({ kind, value }: { kind: string; value: number }) => kind !== 'percent' || value <= 100;
const overWhole = { path: ['value'], error: 'must be at most 100, because kind is percent' };

export const StoreSnapshot = z.object({
  ...snapshot,
  id: StoreId,
  code: z.string().min(1).max(32),
  name: z.string().min(1).max(120),
  time_zone: timeZone.default('Europe/London'),
  currency: Currency.toUpperCase().refine(isCurrency, 'must be a currency that the payment provider can charge').default('GBP'),
  /** The store's account at the payment provider, which receives the money. Null until the store is onboarded. */
  connected_account_id: z.string().nullable().default(null),
  fee_bps: z.int().min(0).max(5000).default(0),
  on_behalf_of: z.boolean().default(false),
  platform_covers_refunds: z.boolean().default(false),
  auto_accept: z.boolean().default(true),
  refund_window_days: z.int().min(1).max(180).default(90),
  /** Weekly opening hours in the store's time zone; day 1 is Monday. Empty means always open. A closing time before the opening time is on the next day. */
  hours: z.array(z.object({ day: z.int().min(1).max(7), opens: timeOfDay, closes: timeOfDay })).default([]),
  status: z.enum(['live', 'dark']).default('live'),
  welcome_message: z.string().nullable().default(null),
  branding: z
    .object({
      logo_url: z.string().nullable().default(null),
      primary_color: hexColour.nullable().default(null),
      secondary_color: hexColour.nullable().default(null),
      background_type: z.string().default('color'),
      background_image_url: z.string().nullable().default(null),
      background_color: hexColour.nullable().default(null),
      stamp_visual: z.string().nullable().default(null),
      store_template: z.string().nullable().default(null),
    })
    .prefault({}),
  walk_ins_accepted: z.boolean().default(false),
  called_hold_minutes: z.int().min(1).max(30).default(5),
  /** The language of messages to a person whose own language is unknown, and to the store itself. */
  language: Language.default('en'),
  /** Printed on receipts, together with the VAT of items that have a rate. Null for a store that is not registered. */
  vat_number: z.string().trim().min(4).max(32).nullable().default(null),
  /** The people at the store who are notified of what needs them. Empty means that no one is. */
  contacts: z.array(StoreContact).max(20).default([]),
  /** Who pays a dispute that the customer wins: the store, whose transfer is reversed, or the platform. */
  disputes_borne_by: z.enum(['store', 'platform']).default('store'),
  /** Exceptions to `hours`: from `starts_at` until `ends_at` no order is taken to be made at once, and a slot that overlaps is closed. */
  closures: z
    .array(z.object({ starts_at: InstantInput, ends_at: InstantInput }))
    .max(400)
    .default([]),
  /** The store takes no orders until then, for example while the kitchen catches up. Null when it is not paused. */
  paused_until: InstantInput.nullable().default(null),
});

export const PromoSnapshot = z
  .object({
    id: z.guid(),
    code: z.string().trim().min(1).max(64),
    label: z.string().nullable().default(null),
    kind: z.enum(['percent', 'amount']),
    /** Whole percent, or pence. */
    value: z.int().min(1),
    min_subtotal_pence: Pence.default(0),
    starts_at: InstantInput.nullable().default(null),
    ends_at: InstantInput.nullable().default(null),
    max_uses: z.int().min(1).nullable().default(null),
    max_per_customer: z.int().min(1).nullable().default(null),
    first_order_only: z.boolean().default(false),
    active: z.boolean().default(true),
  })
  .refine(withinWhole, overWhole);

export const MenuSnapshot = z.object({
  ...snapshot,
  store_id: StoreId,
  items: z.array(
    z.object({
      id: MenuItemId,
      name: z.string().min(1).max(120),
      price_pence: Pence,
      prep_minutes: z.int().min(0).max(480).default(5),
      /** Units in stock; null means unlimited. Units that orders have taken are still deducted after a new snapshot. */
      stock: z.int().min(0).nullable().default(null),
      available: z.boolean().default(true),
      /** The VAT in the price, in hundredths of a percent: 2000 is 20 %. Null when no VAT is shown. */
      vat_rate_bps: z.int().min(0).max(10_000).nullable().default(null),
    }),
  ),
  promos: z.array(PromoSnapshot).default([]),
});

export const SlotsSnapshot = z.object({
  ...snapshot,
  store_id: StoreId,
  slots: z.array(
    z.object({
      id: SlotId,
      starts_at: InstantInput,
      ends_at: InstantInput,
      /** The number of orders it can hold; null means unlimited. */
      capacity: z.int().min(0).nullable().default(null),
      open: z.boolean().default(true),
    }),
  ),
});

export const ProgrammeSnapshot = z.object({
  ...snapshot,
  store_id: StoreId,
  enabled: z.boolean().default(true),
  goal: z.int().min(1).max(100).default(10),
  reward_title: z.string().default('A reward'),
  reward_unlock_message: z.string().nullable().default(null),
  reward: z
    .object({ kind: z.enum(['amount', 'percent', 'item']), value: z.int().min(1), item_id: MenuItemId.nullable().default(null) })
    .refine(withinWhole, overWhole)
    .refine(({ kind, item_id }) => kind !== 'item' || item_id, { path: ['item_id'], error: 'is required when kind is item' })
    .prefault({ kind: 'amount', value: 300 }),
  voucher_type: z.string().default('reward'),
  voucher_days: z.int().min(1).max(3650).default(90),
  /** How many days before its end a voucher's customer is notified that it expires; 0 for never. It applies to vouchers earned from then on. */
  voucher_expiring_days: z.int().min(0).max(365).default(7),
  driver: z.enum(['orders', 'visits', 'membership']).default('orders'),
  stamps_per_order: z.int().min(0).max(20).default(1),
  min_spend_pence: Pence.default(1),
  daily_stamp_limit: z.int().min(1).default(20),
  plan_key: z.enum(['free', 'starter', 'growth', 'pro']).default('growth'),
  /** Stamps per month; null means unlimited. When absent, the plan's quota applies. */
  monthly_stamp_quota: z.int().min(0).nullable().optional(),
  /**
   * What becomes of a stamp whose code was redeemed without the proof of a tap, which anyone can do from anywhere: it waits for staff to
   * approve it, or it counts at once. A proved tap and what staff do always count at once.
   */
  codes_without_proof: z.enum(['wait', 'count']).default('wait'),
  multi_stamp: z
    .object({
      enabled: z.boolean().default(true),
      entitled: z.boolean().default(true),
      max_request: z.int().min(1).max(100).default(5),
      monthly_ceiling: z.int().min(1).default(30),
      /**
       * Whether staff confirm with their auth card alone. The card’s token id is public: a customer who has seen it once can send it from anywhere,
       * so by default a tap of one of the store’s tags must come with it. A staff session needs none.
       */
      staff_card_without_tap: z.enum(['refuse', 'accept']).default('refuse'),
    })
    .prefault({}),
  nfc_enforced: z.boolean().default(false),
  tags: z
    .array(
      z.object({ uid: z.string().regex(/^[0-9A-Fa-f]{14}$/), key_version: z.string().default('1'), revoked: z.boolean().default(false) }),
    )
    .default([]),
});

export const FloorSnapshot = z.object({
  ...snapshot,
  store_id: StoreId,
  services: z.array(
    z.object({ id: z.guid(), name: z.string(), minutes: z.int().min(1).max(720), buffer_minutes: z.int().min(0).max(240).default(0) }),
  ),
  units: z.array(
    z.object({
      id: z.guid(),
      name: z.string(),
      service_ids: z.array(z.guid()),
      shifts: z.array(z.object({ starts_at: InstantInput, ends_at: InstantInput })).default([]),
      breaks: z.array(z.object({ starts_at: InstantInput, ends_at: InstantInput })).default([]),
    }),
  ),
});

export const BookingSnapshot = z.object({
  ...snapshot,
  id: z.guid(),
  store_id: StoreId,
  unit_id: z.guid(),
  starts_at: InstantInput,
  ends_at: InstantInput,
  state: z.enum(['booked', 'started', 'done', 'cancelled']).default('booked'),
});

export const CustomerSnapshot = z.object({
  ...snapshot,
  id: CustomerId,
  name: z.string().nullable().default(null),
  email: z.string().nullable().default(null),
  phone: z.string().nullable().default(null),
  identity_user_id: z.string().nullable().default(null),
  push_devices: z.array(PushDevice).default([]),
  /** Null for a customer whose language is unknown: then the store's language is used. */
  language: Language.nullable().default(null),
  memberships: z
    .array(
      z.object({
        store_id: StoreId,
        status: z.string(),
        current_period_end: InstantInput.nullable().default(null),
        plan_name: z.string().nullable().default(null),
      }),
    )
    .default([]),
});

export const StaffSnapshot = z.object({
  ...snapshot,
  id: z.guid(),
  name: z.string(),
  stores: z.array(z.object({ id: StoreId, role: z.enum(['owner', 'manager', 'staff']) })),
  cards: z.array(z.object({ token_id: z.string().min(16), store_id: StoreId, revoked: z.boolean().default(false) })).default([]),
  revoked_sessions: z.array(z.string()).default([]),
});
