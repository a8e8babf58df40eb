import { randomUUID } from 'node:crypto';
import { people, stores } from '@corner/sandbox/demo';
import { type RefusalRun, unknownId } from './refusal-run.ts';

export async function refuseAnywhere({ refused, done, tokens }: RefusalRun): Promise<void> {
  await refused('listOrders', 'UNAUTHENTICATED', { token: 'not-a-token' }, '*');
  await refused('listOrders', 'WRONG_TOKEN_TYPE', { token: tokens.ana }, '*');
  await refused('listOrders', 'STORE_FORBIDDEN', { with: { store_id: unknownId } }, '*');
  await refused('createOrder', 'VALIDATION_FAILED', { with: { items: [{ menu_item_id: 'flat-white', quantity: 0 }] } }, '*');
  await refused('createOrder', 'INVALID_JSON', { raw: '{"store_code": "S1",' }, '*');
  await refused('createOrder', 'UNSUPPORTED_MEDIA_TYPE', { headers: { 'content-type': 'text/plain' } }, '*');
  await refused('createOrder', 'PAYLOAD_TOO_LARGE', { raw: JSON.stringify({ note: 'a'.repeat(70_000) }) }, '*');
  await refused('listOrders', 'NOT_ACCEPTABLE', { headers: { accept: 'text/html' } }, '*');
  const headers = { 'idempotency-key': randomUUID() };
  await done('answerMarketingOptIn', { headers });
  await refused('answerMarketingOptIn', 'IDEMPOTENCY_KEY_REUSED', { headers, with: { accepted: false } }, '*');
}

const ofOrders = [
  'advanceFulfilment',
  'cancelMyOrder',
  'collectEarlier',
  'confirmOrder',
  'correctOrder',
  'getMyOrder',
  'getOrder',
  'notifyDelay',
  'orderLog',
  'printTicket',
  'readMyOrderStory',
  'readOrderStory',
  'refundOrder',
  'setBusinessStatus',
];
const ofEntries = [
  'assignQueueEntry',
  'callQueueEntry',
  'completeQueueEntry',
  'convertQueueEntry',
  'noShowQueueEntry',
  'recallQueueEntry',
  'reopenQueueEntry',
  'confirmQueueEntry',
  'leaveQueue',
  'readQueueChain',
];
const ofBookings = [
  'readBooking',
  'moveBooking',
  'acceptBooking',
  'cancelBooking',
  'confirmBooking',
  'arriveBooking',
  'completeBooking',
  'noShowBooking',
  'reopenBooking',
];
const ofWebhooks = [
  'updateWebhook',
  'endWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'repeatWebhookEvent',
  'challengeWebhook',
  'listEvents',
  'readEventsDigest',
];
const ofStores = [
  'readCardHistory',
  'readStoreQueue',
  'readTimes',
  'makeBooking',
  'createOrder',
  'generateStampCode',
  'joinQueue',
  'answerMarketingOptIn',
  'readMarketingAsk',
  'listWalletPasses',
  'readMenu',
  'listOpenSlots',
];
const ofStaff = [
  'sellAtCounter',
  'linkAccount',
  'readAccount',
  'listPayouts',
  'readReport',
  'listTips',
  'enterTipShares',
  'readTipShares',
  'readDayBook',
  'readStampEvidence',
  'listStoreLog',
  'pauseStore',
  'readSwitches',
  'readPace',
  'setPace',
  'addPrinter',
  'createWebhook',
  'makeCampaign',
  'listCampaigns',
  'writeMessage',
  'listMessagesOfStore',
  'customerState',
  'grantStamp',
  'listQueueEntries',
  'listQueueLog',
  'listLoyaltyLog',
  'findCustomers',
  'addQueueEntry',
  'switchWalkIns',
  'clearUnconfirmedEntries',
  'readWaits',
  'readReadyTimes',
  'listStoreBookings',
  'makeSession',
  'makeWeeklyClass',
  'listWeeklyClasses',
];

export async function refuseUnknownIds({ refused, environment, tokens }: RefusalRun): Promise<void> {
  for (const name of ofOrders) await refused(name, 'ORDER_NOT_FOUND');
  for (const name of ['resolvePendingStamp', 'reviewStamp', 'undoStamp']) await refused(name, 'STAMP_NOT_FOUND');
  for (const name of ofEntries) await refused(name, 'QUEUE_ENTRY_NOT_FOUND');
  for (const name of ofBookings) await refused(name, 'BOOKING_NOT_FOUND');
  for (const name of ['changeSession', 'cancelSession', 'changeWeeklyClass', 'endWeeklyClass']) await refused(name, 'SESSION_NOT_FOUND');
  await refused('joinQueue', 'QUEUE_ENTRY_NOT_FOUND', { token: tokens.ana, with: { entry_id: unknownId } });
  await refused('removePrinter', 'PRINTER_NOT_FOUND');
  for (const name of ['testCampaign', 'sendCampaign', 'stopCampaign']) await refused(name, 'CAMPAIGN_NOT_FOUND');
  await refused('writeMessage', 'CUSTOMER_NOT_FOUND', { with: { customer_id: unknownId } });
  for (const name of ofWebhooks) await refused(name, 'WEBHOOK_NOT_FOUND');
  await refused('switchMenuItem', 'MENU_ITEM_NOT_FOUND', { with: { menu_item_id: 'pumpkin-latte' } });
  for (const name of ['redeemVoucher', 'redeemVoucherByCode', 'lookUpVoucher']) await refused(name, 'VOUCHER_NOT_FOUND');
  await refused('redeemStampCode', 'CODE_NOT_FOUND');
  const token = await environment.system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [unknownId] });
  for (const name of ofStaff) await refused(name, 'STORE_NOT_FOUND', { token, with: { store_id: unknownId } });
  for (const name of ofStores) await refused(name, 'STORE_NOT_FOUND', { with: { store_id: unknownId } });
  await refused('upsertPreferences', 'STORE_NOT_FOUND', { with: { storeId: unknownId } });
  await refused('requestMultiStamp', 'STORE_NOT_FOUND', { with: { store_id: 'NOPE' } });
  await refused('confirmMultiStamp', 'STORE_NOT_FOUND', { with: { store_code: 'NOPE' } });
}

export async function refuseWithoutScope({ refused, environment }: RefusalRun): Promise<void> {
  const { tokens } = environment.system;
  const merchant = { typ: 'merchant', sub: people.bo.id, stores: [stores.coffee.id] } as const;
  await refused('customerState', 'INSUFFICIENT_SCOPE', { token: await tokens.token({ ...merchant, scope: '' }) });
  const customer = { typ: 'customer', sub: people.ana.id } as const;
  await refused('listPreferences', 'INSUFFICIENT_SCOPE', { token: await tokens.token({ ...customer, scope: '' }) });
  const token = await tokens.token({ typ: 'staff', sub: people.cy.id, stores: [stores.coffee.id] });
  const aboveStaff = [
    'addPrinter',
    'removePrinter',
    'correctOrder',
    'linkAccount',
    'readAccount',
    'listPayouts',
    'readReport',
    'listTips',
    'enterTipShares',
    'readTipShares',
    'readDayBook',
    'readStampEvidence',
    'createWebhook',
    'listWebhooks',
    'updateWebhook',
    'endWebhook',
    'rotateWebhookSecret',
    'challengeWebhook',
    'testWebhook',
    'repeatWebhookEvent',
    'makeCampaign',
    'listCampaigns',
    'testCampaign',
    'sendCampaign',
    'stopCampaign',
  ];
  for (const name of aboveStaff) await refused(name, 'INSUFFICIENT_ROLE', { token });
  for (const name of ['readWaits', 'readReadyTimes'])
    await refused(name, 'INSUFFICIENT_ROLE', { token, with: { store_id: stores.coffee.id } });
}
