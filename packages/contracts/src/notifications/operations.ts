import { z } from 'zod';
import { customer, defineOperation, scoped } from '../operation.ts';
import { Instant, StoreId } from '../vocabulary.ts';
import { PreferenceRow, WalletPass } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'notifications';
const toggle = z.boolean().optional();

export const answerMarketingOptIn = defineOperation({
  name: 'answerMarketingOptIn',
  service,
  method: 'POST',
  path: '/api/v1/notifications/marketing-opt-in',
  summary: 'Answer the marketing question.',
  description: 'Yes opts in for this store. No is recorded as asked, at most twice, and switches an earlier yes off.',
  caller: customer,
  body: z.object({ store_id: StoreId, accepted: z.boolean() }),
  reply: z.object({ ok: z.boolean() }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'header',
  example: { body: { store_id: demoStore, accepted: true } },
});

export const listPreferences = defineOperation({
  name: 'listPreferences',
  service,
  method: 'GET',
  path: '/api/v1/notifications/preferences',
  summary: 'List what a customer wants to hear about.',
  description: 'One row for each store the customer has dealt with, defaults filled in.',
  caller: scoped(customer, 'customer:read'),
  reply: z.object({ preferences: z.array(PreferenceRow) }),
  problems: ['INSUFFICIENT_SCOPE'],
  replay: 'none',
  limits: [{ by: 'principal', limit: 60, windowSeconds: 60 }],
  example: {},
});

export const upsertPreferences = defineOperation({
  name: 'upsertPreferences',
  service,
  method: 'POST',
  path: '/api/v1/notifications/preferences',
  summary: 'Change what a customer wants to hear about.',
  description: 'A toggle left out stays as it is.',
  caller: customer,
  body: z.object({
    storeId: StoreId,
    messagesMuted: toggle,
    classReminders: toggle,
    classEventsEnabled: toggle,
    voucherEventsEnabled: toggle,
    stampEventsEnabled: toggle,
    membershipEventsEnabled: toggle,
    penaltyEventsEnabled: toggle,
    marketingEnabled: toggle,
  }),
  reply: z.object({ storeId: z.string(), updated: z.boolean() }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'header',
  example: { body: { storeId: demoStore, stampEventsEnabled: false } },
});

export const listWalletPasses = defineOperation({
  name: 'listWalletPasses',
  service,
  method: 'GET',
  path: '/api/v1/notifications/wallet/passes',
  summary: 'A customer’s wallet passes at a store.',
  description:
    'The stamp card, and each voucher that can be used, with the addresses that put them into the phone’s wallet. A pass then changes by itself.',
  caller: customer,
  query: z.object({ store_id: StoreId }),
  reply: z.object({ passes: z.array(WalletPass), links_expire_at: Instant }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  limits: [{ by: 'principal', limit: 60, windowSeconds: 60 }],
  extension: true,
  example: { query: { store_id: demoStore } },
});
