import { z } from 'zod';

const off = z.boolean().describe('Off by default.');
const on = z.boolean().describe('On by default.');

export const PreferenceRow = z
  .object({
    storeId: z.string(),
    storeName: z.string().describe('`Unknown` when the name is not available.'),
    messagesMuted: off,
    classReminders: on,
    classEventsEnabled: on,
    voucherEventsEnabled: on,
    stampEventsEnabled: on,
    membershipEventsEnabled: on,
    penaltyEventsEnabled: on,
    marketingEnabled: off,
  })
  .meta({ id: 'PreferenceRow' });

/** A wallet pass, with the links that add it to a phone. */
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
