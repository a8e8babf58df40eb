import {
  type DeadLetterHandlers,
  type EventHandlers,
  type Jobs,
  job,
  type OperationsOf,
  type Overrides,
  type Platform,
  type Program,
  type RpcHandlers,
  type RunningService,
  type ServiceDefinition,
  startService,
  type Webhook,
} from '@corner/chassis';
import { notifications } from '@corner/contracts';
import {
  listCampaigns,
  makeCampaign,
  sendCampaign,
  settleCampaigns,
  stopCampaign,
  testCampaign,
  writeCampaigns,
} from './campaigns/entry-points.ts';
import { type NotificationsConfig, readNotificationsConfig, webPushSettings } from './config.ts';
import { type Context, createContext, type Parties } from './context.ts';
import { erasing } from './customers/entry-points.ts';
import { openChannels } from './messages/adapters/open-channels.ts';
import { eventHandlers as ofMessages } from './messages/event-handlers.ts';
import { deliverCampaigns, deliverMessages, dropOldMessages, notifyStoresOfStamps, readTexts } from './messages/jobs.ts';
import {
  answerMarketingOptIn,
  linkDevice,
  listDevices,
  listMessagesOfStore,
  listPreferences,
  readMarketingAsk,
  readWebPushKey,
  unlinkDevice,
  upsertPreferences,
  writeMessage,
} from './messages/operations.ts';
import { handleListMessages, handleMarketingAsk, handleReachCustomer, handleReadOrderMessages } from './messages/rpc-handlers.ts';
import { explainMessages } from './messages/tables/message-lists.ts';
import { messageDeadLetter, retryMessage } from './messages/transactions/dead-letters.ts';
import { askAboutAddress, askToUnsubscribe, decideAboutAddress, receiveText, unsubscribe } from './messages/webhooks.ts';
import { openReceivers } from './subscriptions/adapters/receiver.ts';
import { dropOldEvents } from './subscriptions/jobs.ts';
import {
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
} from './subscriptions/operations.ts';
import { deliverEvents } from './subscriptions/sagas/deliver-events.ts';
import { openWallets } from './wallet/adapters/open-wallets.ts';
import { eventHandlers as ofWallet } from './wallet/event-handlers.ts';
import { pushPassUpdates } from './wallet/jobs.ts';
import { listWalletPasses } from './wallet/operations.ts';
import {
  downloadPass,
  listChangedPasses,
  receiveDeviceLog,
  registerDevice,
  sendPass,
  serveLogo,
  unregisterDevice,
} from './wallet/webhooks.ts';

export const operations: OperationsOf<typeof notifications, Context> = {
  answerMarketingOptIn,
  readMarketingAsk,
  listPreferences,
  upsertPreferences,
  listWalletPasses,
  linkDevice,
  listDevices,
  unlinkDevice,
  readWebPushKey,
  createWebhook,
  listWebhooks,
  updateWebhook,
  endWebhook,
  rotateWebhookSecret,
  testWebhook,
  challengeWebhook,
  repeatWebhookEvent,
  listEvents,
  readEventsDigest,
  makeCampaign,
  listCampaigns,
  testCampaign,
  sendCampaign,
  stopCampaign,
  writeMessage,
  listMessagesOfStore,
};

export const eventHandlers: EventHandlers<Context> = { ...ofMessages, ...ofWallet, eraseCustomer: erasing.eventHandler };

export const rpcHandlers: RpcHandlers<Context> = {
  handleMarketingAsk,
  handleReachCustomer,
  handleReadOrderMessages,
  handleListMessages,
  ...erasing.rpcHandlers,
};

export const jobs: Jobs<Context> = {
  // A replica raises a signal for its own due messages and webhooks. The intervals cover those of a replica that died.
  deliverMessages: job(5, deliverMessages, ({ messageSignal }) => messageSignal),
  notifyStoresOfStamps: job(5, notifyStoresOfStamps),
  readTexts: job(60, readTexts),
  dropOldMessages: job(3_600, dropOldMessages),
  finishErasures: erasing.job,
  pushPassUpdates: job(5, pushPassUpdates, ({ passSignal }) => passSignal),
  deliverEvents: job(15, deliverEvents, ({ webhookSignal }) => webhookSignal),
  dropOldEvents: job(3_600, dropOldEvents),
  writeCampaigns: job(5, writeCampaigns),
  deliverCampaigns: job(5, deliverCampaigns),
  settleCampaigns: job(60, settleCampaigns),
};

export const webhooks: readonly Webhook<Context>[] = [
  registerDevice,
  unregisterDevice,
  listChangedPasses,
  sendPass,
  receiveDeviceLog,
  downloadPass,
  serveLogo,
  askToUnsubscribe,
  unsubscribe,
  askAboutAddress,
  decideAboutAddress,
  receiveText,
];

const deadLetterHandlers: DeadLetterHandlers<Context> = {
  [messageDeadLetter]: (id, tx, { messageSignal }) => retryMessage(tx, id, messageSignal),
};

export const notificationsService = (parties: Parties, stampDigestMinutes: number): ServiceDefinition<Context> => ({
  name: 'notifications',
  contracts: notifications,
  operations,
  eventHandlers,
  rpcHandlers,
  jobs,
  webhooks,
  explain: (ids, { database }) => explainMessages(database, ids),
  deadLetterHandlers,
  // Gathering delays a message only slightly, and a customer's next event often supersedes it.
  gatherMs: 200,
  migrations: `${import.meta.dirname}/../migrations`,
  context: (platform) => createContext(platform, parties, stampDigestMinutes),
});

/**
 * The channels and wallets are closed after the service has stopped. They use the service's clock, which is known only once they are open.
 */
export async function startNotifications(config: NotificationsConfig, overrides: Overrides = {}): Promise<RunningService<Context>> {
  let clock: () => Date = () => new Date();
  const now = () => clock();
  const channels = openChannels(config, now);
  const wallets = openWallets(config, now);
  const { PUBLIC_BASE_URL: baseUrl, CONSOLE_URL: consoleUrl } = config;
  const ownHosts = [baseUrl, consoleUrl].flatMap((own) => (own ? [new URL(own).hostname] : []));
  const addresses = { allowedHosts: config.WEBHOOK_HOSTS, ownHosts };
  const receivers = openReceivers(addresses, now);
  const { UNSUBSCRIBE_SECRETS: secrets } = config;
  const unsubscribeLinks = baseUrl && secrets ? { baseUrl, secrets } : null;
  const closable = new Set([...Object.values(channels), wallets.apple, wallets.google, receivers]);
  const close = () => Promise.all([...closable].map((party) => party?.close()));
  try {
    const parties = {
      channels,
      wallets,
      webhooks: { receivers, addresses, key: config.WEBHOOK_SECRET },
      unsubscribeLinks,
      webPush: webPushSettings(config),
      consoleUrl: consoleUrl ?? null,
    };
    const definition = notificationsService(parties, config.STAMP_DIGEST_MINUTES);
    const context = (platform: Platform) => {
      clock = platform.now;
      return definition.context(platform);
    };
    const service = await startService({ ...definition, context }, config, overrides);
    service.log.info({ channels: Object.keys(channels) }, 'these channels are open for messages');
    return {
      ...service,
      async [Symbol.asyncDispose]() {
        await service[Symbol.asyncDispose]();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export const notificationsProgram: Program<NotificationsConfig, RunningService<Context>> = {
  name: 'notifications',
  readConfig: readNotificationsConfig,
  start: startNotifications,
};
