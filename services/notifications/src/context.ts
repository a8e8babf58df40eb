import { type Call, createSignal, type Database, type Log, type Platform, type Signal } from '@corner/chassis';
import type { Channels } from './messages/adapters/channel.ts';
import type { Wallets } from './wallet/adapters/wallets.ts';

/** What every entry point of notifications receives. */
export interface Context {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly call: Call;
  /** The number of this process's advisory lock. */
  readonly processLock: string;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly channels: Channels;
  readonly wallets: Wallets;
  /** Null when e-mail is not set up. */
  readonly unsubscribeLinks: UnsubscribeLinks | null;
  /** Tokens of leases of messages whose response was lost. */
  readonly lostLeases: Set<string>;
  /** Raised when a message may be due, so that the delivery job runs at once. */
  readonly messageSignal: Signal;
  /** Raised when an update of a pass may be due, so that the job that pushes updates runs at once. */
  readonly passSignal: Signal;
  /** Minutes between two messages to a store about stamps that wait for approval. */
  readonly stampDigestMinutes: number;
}

/** What the links of mail that can be stopped are made with. */
export interface UnsubscribeLinks {
  /** Where customers reach the gateway. */
  readonly baseUrl: string;
  /** The first signs, and links that any of them signed are valid. */
  readonly secrets: readonly string[];
}

/** The outside parties that are set up. */
export type Parties = Pick<Context, 'channels' | 'wallets' | 'unsubscribeLinks'>;

/** Builds the context of a running service. */
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
  processLock,
  random: Math.random,
  log,
  lostLeases: new Set(),
  messageSignal: createSignal(),
  passSignal: createSignal(),
  stampDigestMinutes,
});
