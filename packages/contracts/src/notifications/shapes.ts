import { z } from 'zod';
import { extension, Instant } from '../vocabulary.ts';
import { describeSwitch, type PreferenceToggle } from './switches.ts';

export const orderMessages = [
  'receipt',
  'accepted',
  'ready',
  'not_ready',
  'cancelled',
  'not_accepted',
  'refunded',
  'refund_failed',
  'running_late',
  'slot_moved',
] as const;
export type OrderMessage = (typeof orderMessages)[number];

/** The text that was displayed when a customer answered, as reported by the app. */
export const ShownText = z.object({
  text: z.string().trim().min(1).max(1000).describe('The whole text, as the customer saw it.'),
  locale: z
    .string()
    .max(64)
    .regex(/^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$/, 'must be a language tag such as en or fr-CA')
    .describe('The language of the text (BCP 47), such as en or fr-CA.'),
});
export type ShownText = z.output<typeof ShownText>;

export const consentWays = ['question', 'preferences', 'unsubscribe', 'api'] as const;
export type ConsentWay = (typeof consentWays)[number];

const MarketingAnswer = z
  .object({
    accepted: z.boolean().describe('Whether they said yes.'),
    at: Instant.describe('When they answered.'),
    way: z
      .enum(consentWays)
      .describe(
        'At the question, on a page of preferences, by the link of a mail, or over the API by an app that did not say what it showed.',
      ),
    shown: ShownText.nullable().describe('The text that they saw. Null where none is known.'),
  })
  .meta({ id: 'MarketingAnswer' });

const off = (toggle: PreferenceToggle) => z.boolean().describe(`Off by default. ${describeSwitch(toggle)}`);
const on = (toggle: PreferenceToggle) => z.boolean().describe(`On by default. ${describeSwitch(toggle)}`);

export const PreferenceRow = z
  .object({
    storeId: z.string(),
    storeName: z.string().describe('`Unknown` when the name is not available.'),
    messagesMuted: off('messagesMuted'),
    classReminders: on('classReminders'),
    classEventsEnabled: on('classEventsEnabled'),
    voucherEventsEnabled: on('voucherEventsEnabled'),
    stampEventsEnabled: on('stampEventsEnabled'),
    membershipEventsEnabled: on('membershipEventsEnabled'),
    penaltyEventsEnabled: on('penaltyEventsEnabled'),
    marketingEnabled: off('marketingEnabled'),
    marketingAnswer: extension(
      MarketingAnswer.nullable().describe(
        'What the customer answered last about marketing. Null when they have not answered, or did before answers were recorded.',
      ),
    ),
  })
  .meta({ id: 'PreferenceRow' });

export const WalletPass = z
  .object({
    kind: z.enum(['stamp_card', 'voucher']),
    serial: z.string(),
    voucher_id: z.string().nullable(),
    reward_title: z.string().nullable(),
    apple_url: z.string().nullable().describe('Adds the pass when opened on an iPhone. Null when Apple Wallet is not set up.'),
    google_url: z.string().nullable().describe('Adds the pass when opened on an Android phone. Null when Google Wallet is not set up.'),
  })
  .meta({ id: 'WalletPass' });

export const DeviceId = z.guid('must be a UUID').toLowerCase().meta({ description: 'The linked device.' });

export const Device = z
  .object({
    device_id: DeviceId,
    platform: z.enum(['ios', 'android', 'web']),
    name: z.string().nullable().describe('What the customer calls it. Null when they gave it no name.'),
    linked_at: Instant.describe('When it was linked, by this customer, for the last time.'),
  })
  .meta({ id: 'Device' });
