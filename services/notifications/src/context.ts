import { type Call, createSignal, type Database, type Log, type Platform, type Signal } from '@corner/chassis';
import type { Channels } from './messages/adapters/channel.ts';
import { createReceiptReader, type ReadReceipt } from './messages/adapters/receipts.ts';
import type { ReceiverSettings } from './subscriptions/adapters/address.ts';
import type { Receivers } from './subscriptions/adapters/receiver.ts';
import type { Wallets } from './wallet/adapters/wallets.ts';

/**
 * The links are null without e-mail, `webPush` without Web Push, `consoleUrl` without a known address of the console. `lostLeases` holds
 * the tokens of leases whose response was lost; `mailsToClaim` the mails that the next statement counts, used by `claimMail` only. A signal
 * is raised when a message, a pass update or a webhook may be due, so that its job runs at once.
 */
export interface Context {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly call: Call;
  readonly readReceipt: ReadReceipt;
  readonly processLock: string;
  readonly random: () => number;
  readonly log: Log;
  readonly channels: Channels;
  readonly wallets: Wallets;
  readonly unsubscribeLinks: UnsubscribeLinks | null;
  readonly webPush: { readonly publicKey: string; readonly services: readonly string[] } | null;
  readonly consoleUrl: string | null;
  readonly lostLeases: Set<string>;
  readonly mailsToClaim: unknown[];
  readonly messageSignal: Signal;
  readonly passSignal: Signal;
  readonly stampDigestMinutes: number;
  readonly webhooks: Webhooks;
  readonly webhookSignal: Signal;
}

interface Webhooks {
  readonly receivers: Receivers;
  readonly addresses: ReceiverSettings;
  readonly key: string;
}

interface UnsubscribeLinks {
  readonly baseUrl: string;
  readonly secrets: readonly string[];
}

export type Parties = Pick<Context, 'channels' | 'wallets' | 'webhooks' | 'unsubscribeLinks' | 'webPush' | 'consoleUrl'>;

export const createContext = (
  { database, now, newId, log, call, processLock }: Platform,
  parties: Parties,
  stampDigestMinutes: number,
): Context => ({
  ...parties,
  database,
  now,
  newId,
  call,
  readReceipt: createReceiptReader(call),
  processLock,
  random: Math.random,
  log,
  lostLeases: new Set(),
  mailsToClaim: [],
  messageSignal: createSignal(),
  passSignal: createSignal(),
  webhookSignal: createSignal(),
  stampDigestMinutes,
});
