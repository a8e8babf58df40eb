import { createSignal, type Database, type Log, type Platform, type Signal } from '@corner/chassis';
import type { Channels } from './messages/adapters/channel.ts';
import type { Wallets } from './wallet/adapters/wallets.ts';

/** What every entry point of notifications receives. */
export interface Context {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly channels: Channels;
  readonly wallets: Wallets;
  /** Raised when a message may be due, so that the delivery job runs at once. */
  readonly messageSignal: Signal;
}

/** Builds the context of a running service. */
export const createContext = ({ database, now, newId, log }: Platform, channels: Channels, wallets: Wallets): Context => ({
  database,
  now,
  newId,
  random: Math.random,
  log,
  channels,
  wallets,
  messageSignal: createSignal(),
});
