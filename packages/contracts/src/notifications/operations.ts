import { z } from 'zod';
import { customer, defineOperation, scoped } from '../operation.ts';
import { extension, Instant, StoreId } from '../vocabulary.ts';
import { PreferenceRow, ShownText, WalletPass } from './shapes.ts';
import { describeSwitch, type PreferenceToggle } from './switches.ts';

export { listCampaigns, makeCampaign, sendCampaign, stopCampaign, testCampaign } from './campaign-operations.ts';
export { linkDevice, listDevices, readWebPushKey, unlinkDevice } from './device-operations.ts';
export {
  challengeWebhook,
  createWebhook,
  endWebhook,
  listEvents,
  listWebhooks,
  readEventsDigest,
  repeatWebhookEvent,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from './webhook-operations.ts';
export { listMessagesOfStore, writeMessage } from './written-operations.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'notifications';
const shown = extension(
  ShownText.optional().describe(
    'The text beside which the customer answered. It is recorded with the answer. Absent: the record says that no text is known.',
  ),
);
const toggle = (name: PreferenceToggle, meaning: string) =>
  z
    .boolean()
    .optional()
    .describe(`${meaning} ${describeSwitch(name)}`);

export const answerMarketingOptIn = defineOperation({
  name: 'answerMarketingOptIn',
  service,
  method: 'POST',
  path: '/api/v1/notifications/marketing-opt-in',
  summary: 'Accept or decline marketing notifications.',
  description:
    'accepted=true opts in for this store. accepted=false records that the customer was asked, and ends an earlier opt-in. A customer is asked at most twice per store. Each answer that changes something is recorded, with the text that was shown.',
  caller: customer,
  body: z.object({ store_id: StoreId, accepted: z.boolean().describe('Whether marketing messages may be sent.'), shown }),
  reply: z.object({ ok: z.boolean() }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'header',
  example: {
    body: { store_id: demoStore, accepted: true, shown: { text: 'May Corner Coffee send you news and offers?', locale: 'en' } },
  },
});

export const readMarketingAsk = defineOperation({
  name: 'readMarketingAsk',
  service,
  method: 'GET',
  path: '/api/v1/notifications/marketing-ask',
  summary: 'Read whether the customer may be asked about marketing.',
  description:
    'For the moments that confirmOrder does not cover: after an order that cost nothing, and at a stamp. ask is true until the customer has answered twice for this store or has opted in. Reading counts as no ask; the answer does.',
  caller: customer,
  query: z.object({ store_id: StoreId }),
  reply: z.object({ ask: z.boolean().describe('Whether the app may ask the customer now.') }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  extension: true,
  example: { query: { store_id: demoStore } },
});

export const listPreferences = defineOperation({
  name: 'listPreferences',
  service,
  method: 'GET',
  path: '/api/v1/notifications/preferences',
  summary: 'List notification preferences.',
  description: 'Returns one row for each store that the customer has interacted with. Toggles that were never set have their default.',
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
  summary: 'Change notification preferences.',
  description: 'A toggle that is absent stays unchanged.',
  caller: customer,
  body: z.object({
    storeId: StoreId,
    messagesMuted: toggle('messagesMuted', 'True mutes what the store writes to the customer.'),
    classReminders: toggle('classReminders', 'Reminders of classes.'),
    classEventsEnabled: toggle('classEventsEnabled', 'Messages about classes.'),
    voucherEventsEnabled: toggle('voucherEventsEnabled', 'Messages about vouchers.'),
    stampEventsEnabled: toggle('stampEventsEnabled', 'Messages about stamps.'),
    membershipEventsEnabled: toggle('membershipEventsEnabled', 'Messages about memberships.'),
    penaltyEventsEnabled: toggle('penaltyEventsEnabled', 'Messages about penalties, such as a turn in the queue that was missed.'),
    marketingEnabled: toggle('marketingEnabled', 'Marketing messages, for which this is the consent.'),
    shown,
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
  summary: 'List a customer’s wallet passes at a store.',
  description:
    'Returns the stamp card and each active voucher, with the links that add them to the phone’s wallet. An added pass is updated automatically. The code image of a voucher’s pass is JSON with voucher_id and customer_id, which redeemVoucher takes; that of a stamp card is the customer’s id.',
  caller: customer,
  query: z.object({ store_id: StoreId }),
  reply: z.object({ passes: z.array(WalletPass), links_expire_at: Instant }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  limits: [{ by: 'principal', limit: 60, windowSeconds: 60 }],
  extension: true,
  example: { query: { store_id: demoStore } },
});
