import { z } from 'zod';

const off = z.boolean().describe('Off by default.');
const on = z.boolean().describe('On by default.');

export const PreferenceRow = z
  .object({
    storeId: z.string(),
    storeName: z.string().describe('`Unknown` when the store is not known here.'),
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

/** One pass, and how it gets onto a phone. */
export const WalletPass = z
  .object({
    kind: z.enum(['stamp_card', 'voucher']),
    serial: z.string(),
    voucher_id: z.string().nullable(),
    reward_title: z.string().nullable(),
    apple_url: z.string().nullable().describe('Opened on an iPhone, it adds the pass. Null where Apple Wallet is not set up.'),
    google_url: z.string().nullable().describe('Opened on an Android phone, it adds the pass. Null where Google Wallet is not set up.'),
  })
  .meta({ id: 'WalletPass' });
