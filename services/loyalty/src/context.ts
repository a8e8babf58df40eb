import type { Database, Log, Platform } from '@corner/chassis';

/** What every door of loyalty is handed. */
export interface Context {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
}

/** The context of a running service. */
export const createContext = ({ database, now, newId, log }: Platform): Context => ({ database, now, newId, log });
