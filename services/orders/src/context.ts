import type { Ask, Database, Log, Platform } from '@corner/chassis';
import type { Payments } from './outside/payments.ts';

/** What every door of orders is handed. */
export interface Context {
  readonly database: Database;
  readonly payments: Payments;
  readonly ask: Ask;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  /** Minutes an unpaid order keeps what it holds. */
  readonly holdMinutes: number;
}

/** The context of a running service. */
export const createContext = ({ database, ask, now, newId, log }: Platform, payments: Payments, holdMinutes: number): Context => ({
  database,
  payments,
  ask,
  now,
  newId,
  log,
  holdMinutes,
});
