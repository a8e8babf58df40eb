import { randomUUID } from 'node:crypto';
import type { Database, Log, Platform } from '@corner/chassis';

export interface Context {
  readonly database: Database;
  readonly log: Log;
  readonly now: () => Date;
  /** Returns a random UUIDv4: unlike `tx.newId()`'s UUIDv7 it cannot be guessed and does not reveal when it was made. */
  readonly newCredential: () => string;
}

export const createContext = ({ database, log, now }: Platform): Context => ({ database, log, now, newCredential: randomUUID });
