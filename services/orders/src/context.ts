import type { Call, Database, Log, Platform } from '@corner/chassis';
import type { Payments } from './adapters/payments.ts';

/** What every entry point of orders receives. */
export interface Context {
  readonly database: Database;
  readonly payments: Payments;
  readonly call: Call;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  /** Minutes an unpaid order keeps its holds. */
  readonly holdMinutes: number;
}

/** Creates the context of a running service. */
export const createContext = ({ database, call, now, newId, log }: Platform, payments: Payments, holdMinutes: number): Context => ({
  database,
  payments,
  call,
  now,
  newId,
  log,
  holdMinutes,
});
