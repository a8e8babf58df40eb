import { randomUUID } from 'node:crypto';
import { type Database, type Log, type Platform, subscriberOf } from '@corner/chassis';

export interface Context {
  readonly database: Database;
  readonly log: Log;
  readonly now: () => Date;
  /** Returns a random UUIDv4: unlike `tx.newId()`'s UUIDv7 it cannot be guessed and does not reveal when it was made. */
  readonly newCredential: () => string;
}

export const createContext = ({ database, log, now }: Platform): Context => ({ database, log, now, newCredential: randomUUID });

/** Returns what the caller's address counts toward; null for a call that did not come through the gateway. */
export function subscriberIn(header: (name: string) => string | undefined): string | null {
  const address = header('x-forwarded-for');
  return address ? subscriberOf(address) : null;
}
