import { type Call, createSignal, type Database, type Log, type Platform, type Signal } from '@corner/chassis';
import type { Channels } from './messages/adapters/channel.ts';
import { createReceiptReader, type ReadReceipt } from './messages/adapters/receipts.ts';
import type { ReceiverSettings } from './subscriptions/adapters/address.ts';
import type { Receivers } from './subscriptions/adapters/receiver.ts';
import type { Wallets } from './wallet/adapters/wallets.ts';

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
  /** Null when e-mail is not set up. */
  readonly unsubscribeLinks: UnsubscribeLinks | null;
  /** What a browser's subscription must fit: the key, and the push services besides those of browsers. Null when Web Push is not set up. */
  readonly webPush: { readonly publicKey: string; readonly services: readonly string[] } | null;
  /** Where the people of a store reach the console. Null when no link to it is known. */
  readonly consoleUrl: string | null;
  /** Tokens of leases of messages whose response was lost. */
  readonly lostLeases: Set<string>;
  /** The mails that the next statement counts. Of `claimMail` alone. */
  readonly mailsToClaim: unknown[];
  /** Raised when a message may be due, so that the delivery job runs at once. */
  readonly messageSignal: Signal;
  /** Raised when an update of a pass may be due, so that the job that pushes updates runs at once. */
  readonly passSignal: Signal;
  readonly stampDigestMinutes: number;
  readonly webhooks: Webhooks;
  /** Raised when an event waits for its number, or a webhook is due, so that the job that delivers events runs at once. */
  readonly webhookSignal: Signal;
}

interface Webhooks {
  readonly receivers: Receivers;
  /** Which addresses may be called. */
  readonly addresses: ReceiverSettings;
  /** The secrets of webhooks are derived from it. */
  readonly key: string;
}

interface UnsubscribeLinks {
  readonly baseUrl: string;
  /** The first signs, and links that any of them signed are valid. */
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
