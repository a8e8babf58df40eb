import { z } from 'zod';
import { isCurrency } from '../currencies.ts';
import { PhoneNumber } from '../typed/phone-numbers.ts';
import { Currency, InstantInput, MenuItemId, Pence } from '../vocabulary.ts';
import { storeSettings } from './settings.ts';
import { bounded, Language, ofStore, PushDevice, Span, snapshot, timeOfDay } from './snapshot-parts.ts';

const hexColour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #1f2a44');
const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/London');

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Each address that is given is used. */
const StoreContact = z.object({
  name: z.string().min(1).max(120).nullable().default(null).describe('The name of the person.'),
  email: z.email().nullable().default(null).describe('Where mail is sent. Null for none.'),
  phone: PhoneNumber.nullable().default(null).describe('Where texts are sent. Null for none.'),
  push_devices: z.array(PushDevice).default([]).describe('Where pushes are sent.'),
});

const Opening = z.object({
  day: z.int().min(1).max(7).describe('1 is Monday.'),
  opens: timeOfDay.describe('A time of day in the store’s time zone.'),
  closes: timeOfDay.describe('A time of day in the store’s time zone. One before `opens` is on the next day.'),
});

export const PostalAddress = z.object({
  lines: z.array(z.string().trim().min(1).max(120)).min(1).max(4).describe('The street and what comes before it, one line each.'),
  postcode: z.string().trim().min(1).max(16).describe('As the country writes it.'),
  city: z.string().trim().min(1).max(80).describe('The town or city.'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a country code such as GB')
    .describe('ISO 3166-1: two letters.'),
});

export const Position = z.object({
  latitude: z.number().min(-90).max(90).describe('Degrees north, by WGS 84. Negative in the south.'),
  longitude: z.number().min(-180).max(180).describe('Degrees east, by WGS 84. Negative in the west.'),
});

const Pace = z
  .object({
    minutes: z.literal(15).default(15).describe('A quarter of an hour, on the clock.'),
    max_items: z.int().min(1).max(storeSettings.pace.most).optional().describe('The most items. Choices do not count.'),
    make_minutes: z
      .int()
      .min(1)
      .max(storeSettings.pace.most)
      .optional()
      .describe('The most minutes of making, by the make_minutes of items and choices.'),
  })
  .refine(({ max_items, make_minutes }) => (max_items === undefined) !== (make_minutes === undefined), {
    path: ['max_items'],
    error: 'must be sent, or make_minutes; not both',
  });

const Branding = z.object({
  logo_url: z.string().nullable().default(null).describe('The logo. Null for none.'),
  primary_color: hexColour.nullable().default(null).describe('The colour of the card’s text and buttons. Null for the app’s own.'),
  secondary_color: hexColour.nullable().default(null).describe('The second colour of the card. Null for the app’s own.'),
  background_type: z.string().default('color').describe('What the background of the card is, for example `color` or `image`.'),
  background_image_url: z.string().nullable().default(null).describe('The background, where it is an image.'),
  background_color: hexColour.nullable().default(null).describe('The background, where it is a colour.'),
  stamp_visual: z.string().nullable().default(null).describe('How the app draws a stamp. Null for its own way.'),
  store_template: z.string().nullable().default(null).describe('The layout of the store in the app. Null for the usual one.'),
});

export const StoreSnapshot = z.object({
  ...snapshot,
  id: ofStore,
  code: z.string().trim().min(1).max(storeSettings.code.most).describe('The public code, as on the counter card.'),
  name: z.string().trim().min(1).max(storeSettings.name.most).describe('What customers call it.'),
  time_zone: timeZone.default('Europe/London').describe('An IANA time zone. Opening hours and days are in it.'),
  currency: Currency.toUpperCase()
    .refine(isCurrency, 'must be a currency that the payment provider can charge')
    .default('GBP')
    .describe('The currency of all prices.'),
  connected_account_id: z
    .string()
    .nullable()
    .default(null)
    .describe('The store’s account at the payment provider, which receives the money. Null until the store is onboarded.'),
  fee_bps: z.int().min(0).max(5000).default(0).describe('The platform’s fee, in hundredths of a percent.'),
  on_behalf_of: z.boolean().default(false).describe('Whether payments settle in the store’s country and name.'),
  platform_covers_refunds: z.boolean().default(false).describe('Whether the platform pays a refund that the store’s account cannot.'),
  auto_accept: z.boolean().default(true).describe('Whether a paid order is accepted at once.'),
  accept_within_minutes: bounded(storeSettings.accept_within_minutes)
    .nullable()
    .default(null)
    .describe(
      'Minutes, while the store is open, in which it accepts an order to collect. Then the order is cancelled and refunded. Null: no order ends so.',
    ),
  uncollected_after_hours: bounded(storeSettings.uncollected_after_hours)
    .default(4)
    .describe('Hours after closing at which a ready order that was not collected ends. Without opening hours, after it was ready.'),
  refund_window_days: bounded(storeSettings.refund_window_days)
    .default(90)
    .describe('Days after the payment within which it can be refunded.'),
  staff_refund_limit_pence: Pence.nullable()
    .default(null)
    .describe('The most that staff below a manager refund of one order. Null for no limit.'),
  pace: Pace.nullable()
    .default(null)
    .describe(
      'What the kitchen makes in each quarter of an hour. An order takes from the first quarter with room, in a slot from those that the slot covers. Null: any number.',
    ),
  hours: z.array(Opening).default([]).describe('Weekly opening hours. Empty means always open.'),
  status: z.enum(['live', 'dark']).default('live').describe('A dark store takes no orders and is not listed.'),
  listing: z
    .enum(['open', 'with_account'])
    .default('open')
    .describe(
      'Whether a live store is in the list of stores: `open` always, `with_account` while its payment account can take money, as one that its owner has created. By its code or id it is there either way.',
    ),
  welcome_message: z.string().nullable().default(null).describe('Shown after a first order. Null for none.'),
  branding: Branding.prefault({}).describe('How the store’s card looks.'),
  walk_ins_accepted: z.boolean().default(false).describe('Whether walk-ins can join the queue.'),
  called_hold_minutes: bounded(storeSettings.called_hold_minutes).default(5).describe('How long the place of a called walk-in is held.'),
  bookings_accepted: z.boolean().default(false).describe('Whether customers can book times by themselves.'),
  booking_notice_minutes: bounded(storeSettings.booking_notice_minutes)
    .default(120)
    .describe('Minutes before its start until which the person who made a booking can move or cancel it.'),
  booking_deposit_item_id: MenuItemId.nullable()
    .default(null)
    .describe('The item of the menu with which a customer pays a deposit for a booking, taken at once. Null: bookings need none.'),
  no_shows_allowed: bounded(storeSettings.no_shows_allowed)
    .nullable()
    .default(null)
    .describe('After so many no-shows a customer’s bookings wait for the store to confirm them. Null: never.'),
  no_show_months: bounded(storeSettings.no_show_months).default(6).describe('The months for which a no-show counts.'),
  language: Language.default('en').describe('The language of messages to a person whose own language is unknown, and to the store itself.'),
  vat_number: z
    .string()
    .trim()
    .min(storeSettings.vat_number.least)
    .max(storeSettings.vat_number.most)
    .nullable()
    .default(null)
    .describe('Printed on receipts, together with the VAT of items that have a rate. Null for a store that is not registered.'),
  legal_name: z
    .string()
    .trim()
    .min(1)
    .max(storeSettings.legal_name.most)
    .nullable()
    .default(null)
    .describe('The business that sells, as it is registered. Printed on receipts. Null where it is the name.'),
  address: PostalAddress.nullable().default(null).describe('The address of the business. Printed on receipts. Null for none.'),
  address_shown: z.boolean().default(false).describe('Whether everyone is shown the address.'),
  phone: PhoneNumber.nullable().default(null).describe('The number that customers call, as E.164. Shown to everyone. Null for none.'),
  position: Position.nullable().default(null).describe('Where the store is on a map. Shown to everyone. Null for none.'),
  contacts: z.array(StoreContact).max(20).default([]).describe('The people at the store who are notified of what needs them.'),
  disputes_borne_by: z
    .enum(['store', 'platform'])
    .default('store')
    .describe('Who pays a dispute that the customer wins: the store, whose transfer is reversed, or the platform.'),
  delayed_payment_methods: z
    .boolean()
    .default(false)
    .describe('Whether customers may pay by methods that a bank confirms days later. An order is not made until it is paid.'),
  closures: z
    .array(Span)
    .max(400)
    .default([])
    .describe('Exceptions to the hours: within one no order is taken to be made at once, and a slot that overlaps is closed.'),
  paused_until: InstantInput.nullable()
    .default(null)
    .describe('The store takes no orders until then, for example while the kitchen catches up. Null when it is not paused.'),
});
