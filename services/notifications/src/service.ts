import { type Overrides, type RunningService, type ServiceDefinition, startService } from '@corner/chassis';
import { notifications } from '@corner/contracts';
import { applePush, channelSettings, type NotificationsConfig } from './config.ts';
import { type Context, createContext } from './context.ts';
import { eventHandlers } from './event-handlers.ts';
import { jobs } from './jobs.ts';
import type { Channels } from './messages/adapters/channel.ts';
import { openChannels } from './messages/adapters/open-channels.ts';
import { explainErrands } from './messages/tables/explain-messages.ts';
import { deadLetterHandlers } from './messages/transactions/retry-message.ts';
import { operations } from './operations.ts';
import { rpcHandlers } from './rpc-handlers.ts';
import { openWallets } from './wallet/adapters/open-wallets.ts';
import type { Wallets } from './wallet/adapters/wallets.ts';
import { walletWebhooks } from './wallet/doors.ts';

/** The service as the chassis runs it: its doors, by kind. */
export const notificationsService = (channels: Channels, wallets: Wallets): ServiceDefinition<Context> => ({
  name: 'notifications',
  contracts: notifications,
  operations,
  eventHandlers,
  rpcHandlers,
  jobs,
  webhooks: walletWebhooks,
  explain: (ids, { database }) => explainErrands(database, ids),
  deadLetterHandlers,
  migrations: `${import.meta.dirname}/../migrations`,
  context: (platform) => createContext(platform, channels, wallets),
});

/** Starts the service with the channels and wallets that are set up; disposal closes them last. */
export async function startNotifications(config: NotificationsConfig, held: Overrides = {}): Promise<RunningService<Context>> {
  const now = held.now ?? (() => new Date());
  const channels = openChannels(channelSettings(config), now);
  const wallets = openWallets(config, applePush(config), now);
  const close = () => Promise.all([...new Set([...Object.values(channels), wallets.apple, wallets.google])].map((way) => way?.close()));
  try {
    const service = await startService(notificationsService(channels, wallets), config, held);
    service.log.info({ channels: Object.keys(channels) }, 'messages go out by these channels');
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
