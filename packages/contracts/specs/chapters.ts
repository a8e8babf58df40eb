import { type AnyOperation, operations, type ServiceName } from '../src/index.ts';

/** Operations that belong together, in the order in which an app calls them. It is a tag of the OpenAPI document. */
export interface Chapter {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly AnyOperation[];
}

/**
 * The chapters in the order of a story: a customer orders, the store prepares, stamps are collected, a walk-in waits. An operation that no
 * chapter names is at the end of the first chapter of its service.
 */
const plan: readonly Plan[] = [
  {
    name: 'Placing an order',
    service: 'orders',
    description: 'What a customer’s app does: place an order, pay it with the payment sheet, confirm it, and collect it.',
    operations: [
      'listStores',
      'readMenu',
      'listOpenSlots',
      'createOrder',
      'confirmOrder',
      'getMyOrder',
      'readMyOrderStory',
      'listMyOrders',
      'collectEarlier',
      'cancelMyOrder',
    ],
  },
  {
    name: 'Preparing an order',
    service: 'orders',
    description: 'What a store’s app does: see what was ordered, prepare it, announce a delay, hand it over, refund it.',
    operations: [
      'listOrders',
      'getOrder',
      'advanceFulfilment',
      'notifyDelay',
      'setBusinessStatus',
      'correctOrder',
      'refundOrder',
      'orderLog',
      'readOrderStory',
    ],
  },
  {
    name: 'Selling at the counter',
    service: 'orders',
    description: 'What a store’s till does: sell a basket to the customer who stands there, for cash or by its own card reader.',
    operations: ['sellAtCounter', 'payByTenders', 'listSales', 'openDrawer', 'payOutOfDrawer', 'closeDrawer', 'listDrawers'],
  },
  {
    name: 'Switches of the moment',
    service: 'orders',
    description:
      'What staff change during the day: an item that is sold out, how many are left, a pause. It works at once and ends by itself.',
    operations: ['readSwitches', 'switchMenuItem', 'pauseStore', 'readPace', 'setPace', 'listStoreLog'],
  },
  {
    name: 'The payment account',
    service: 'orders',
    description: 'How a store’s owner opens its account at the payment provider, and what that pays out.',
    operations: ['linkAccount', 'readAccount', 'listPayouts'],
  },
  {
    name: 'Reports',
    service: 'orders',
    description: 'What a store’s managers and owners read of its money: days that have ended, and the present one.',
    operations: ['readReport', 'readReadyTimes', 'listTips', 'enterTipShares', 'readTipShares', 'readDayBook', 'readBookKeys'],
  },
  {
    name: 'Kitchen printers',
    service: 'orders',
    description: 'Printers at a store that print a ticket for each paid order, by Star CloudPRNT.',
    operations: ['addPrinter', 'listPrinters', 'printTicket', 'removePrinter'],
  },
  {
    name: 'Stamps and vouchers',
    service: 'loyalty',
    description: 'Stamps are granted at the counter, and a full card earns a voucher.',
    operations: [
      'listMyCards',
      'readCardHistory',
      'findCustomers',
      'grantStamp',
      'customerState',
      'redeemVoucher',
      'redeemVoucherByCode',
      'lookUpVoucher',
      'undoStamp',
      'listLoyaltyLog',
      'readStampEvidence',
    ],
  },
  {
    name: 'Codes and taps',
    service: 'loyalty',
    description: 'How customers collect stamps with their own phone: one-time codes, taps on a tag of the store, several stamps at once.',
    operations: [
      'generateStampCode',
      'redeemStampCode',
      'syncOfflineStamps',
      'requestMultiStamp',
      'multiStampStatus',
      'confirmMultiStamp',
      'cancelMultiStamp',
    ],
  },
  {
    name: 'Stamps that need approval',
    service: 'loyalty',
    description: 'Stamps that the store’s rules hold back until a merchant approves or rejects them.',
    operations: ['listPendingStamps', 'listGuestStamps', 'reviewStamp', 'resolvePendingStamp'],
  },
  {
    name: 'The walk-in queue',
    service: 'queue',
    description: 'A walk-in joins a store’s queue, follows the place in it, and is called, assigned a chair, and served.',
    operations: [
      'readStoreQueue',
      'joinQueue',
      'queueStatus',
      'readQueueChain',
      'leaveQueue',
      'listQueueEntries',
      'readWaits',
      'switchWalkIns',
      'addQueueEntry',
      'confirmQueueEntry',
      'callQueueEntry',
      'recallQueueEntry',
      'assignQueueEntry',
      'completeQueueEntry',
      'convertQueueEntry',
      'noShowQueueEntry',
      'clearUnconfirmedEntries',
      'reopenQueueEntry',
      'listQueueLog',
    ],
  },
  {
    name: 'Bookings',
    service: 'queue',
    description: 'A customer books a time of a chair, or a place in a class, moves or cancels it, comes, and is served.',
    operations: [
      'readTimes',
      'makeBooking',
      'readBooking',
      'moveBooking',
      'cancelBooking',
      'acceptBooking',
      'listMyBookings',
      'listStoreBookings',
      'confirmBooking',
      'arriveBooking',
      'completeBooking',
      'noShowBooking',
      'reopenBooking',
      'makeSession',
      'changeSession',
      'cancelSession',
      'makeWeeklyClass',
      'listWeeklyClasses',
      'changeWeeklyClass',
      'endWeeklyClass',
    ],
  },
  {
    name: 'Messages and wallet passes',
    service: 'notifications',
    description: 'What each customer is notified about, by store, and the customer’s passes for Apple and Google wallets.',
    operations: ['answerMarketingOptIn', 'listPreferences', 'upsertPreferences', 'writeMessage', 'listMessagesOfStore', 'listWalletPasses'],
  },
  {
    name: 'Campaigns',
    service: 'notifications',
    description: 'What a store writes to the customers who said yes to its news, and what it did.',
    operations: ['makeCampaign', 'testCampaign', 'sendCampaign', 'stopCampaign', 'listCampaigns'],
  },
  {
    name: 'Devices for push',
    service: 'notifications',
    description: 'How a customer’s app or browser is linked, so that messages about orders, stamps and turns reach it.',
    operations: ['readWebPushKey', 'linkDevice', 'listDevices', 'unlinkDevice'],
  },
  {
    name: 'Webhooks and events',
    service: 'notifications',
    description:
      'A store’s own systems, such as its bookkeeping, are sent its events, signed as Standard Webhooks says, or read them. Each event has a number at the webhook, without gaps, and a digest of a range proves that the receiver has all of it.',
    operations: [
      'createWebhook',
      'listWebhooks',
      'updateWebhook',
      'endWebhook',
      'rotateWebhookSecret',
      'testWebhook',
      'challengeWebhook',
      'listEvents',
      'repeatWebhookEvent',
      'readEventsDigest',
    ],
  },
  {
    name: 'Signing in',
    service: 'directory',
    description:
      'Any OpenID provider signs people in; here its ID token becomes an access token, which is refreshed while the app is used. A customer may also be a guest. A deployment whose identity provider issues the access tokens has none of these.',
    operations: [
      'exchangeToken',
      'refreshToken',
      'endSession',
      'createGuest',
      'startStaffSession',
      'readSigningKeys',
      'inviteStaff',
      'listInvitations',
      'withdrawInvitation',
      'acceptInvitation',
      'lookUpInvitation',
    ],
  },
  {
    name: 'Partners',
    service: 'directory',
    description:
      'Machines of other companies that call for a store: a bookkeeping system, a delivery integration, a dashboard. The owner names what each may do. It gets tokens by OAuth 2.0 client credentials.',
    operations: ['createPartner', 'listPartners', 'rotatePartnerSecret', 'withdrawPartner', 'partnerToken'],
  },
  {
    name: 'The directory',
    service: 'directory',
    description:
      'What a shop changes about itself: hours, menu, slots, programme, floor, diary, staff. Each change names the version that it is made to, so two people never overwrite each other. A deployment with a directory of its own has none of these.',
    operations: [
      'createStore',
      'listDirectoryStores',
      'readDirectoryStore',
      'changeStore',
      'readDirectoryMenu',
      'changeMenu',
      'readSlots',
      'changeSlots',
      'readProgramme',
      'changeProgramme',
      'readFloor',
      'changeFloor',
      'listBookings',
      'createBooking',
      'changeBooking',
      'listStaff',
      'addStaff',
      'changeStaff',
      'readMe',
      'changeMe',
      'readMembership',
      'changeMembership',
      'listDirectoryLog',
      'listDataAccess',
      'exportMe',
      'eraseMe',
      'requestErasure',
      'readErasure',
    ],
  },
];

interface Plan {
  readonly name: string;
  readonly service: ServiceName;
  readonly description: string;
  readonly operations: readonly string[];
}

const planned = new Set(plan.flatMap((chapter) => chapter.operations));

/** Every operation, by chapter. */
export const chapters: readonly Chapter[] = plan.map((chapter) => ({ ...chapter, operations: operationsOf(chapter) }));

function operationsOf(chapter: Plan): AnyOperation[] {
  const named = chapter.operations.flatMap((name) => operations.find((operation) => operation.name === name) ?? []);
  const isFirst = plan.find(({ service }) => service === chapter.service) === chapter;
  return [...named, ...operations.filter(({ name, service }) => isFirst && service === chapter.service && !planned.has(name))];
}
