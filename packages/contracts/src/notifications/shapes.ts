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
