import { randomUUID } from 'node:crypto';
import type { Database, Log, Platform } from '@corner/chassis';

/** What every door of the queue is handed. */
export interface Context {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  /** A random id that nobody guesses and that tells nothing, unlike those of {@link newId}, which tell when they were made. */
  readonly newCredential: () => string;
  readonly log: Log;
}

/** The context of a running service. */
export const createContext = ({ database, now, newId, log }: Platform): Context => ({
  database,
  now,
  newId,
  newCredential: randomUUID,
  log,
});
