import { randomUUID } from 'node:crypto';
import type { Database, Platform } from '@corner/chassis';

/** What every entry point of the queue works with. */
export interface Context {
  readonly database: Database;
  /** The current time. Inside a transaction `tx.now` is used instead. */
  readonly now: () => Date;
  /** Returns a random UUIDv4. It cannot be guessed and, unlike the UUIDv7 of `tx.newId()`, does not reveal when it was made. */
  readonly newCredential: () => string;
}

/** Returns the context of a running service. */
export const createContext = ({ database, now }: Platform): Context => ({ database, now, newCredential: randomUUID });
