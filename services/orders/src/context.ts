import type { Call, Database, Log, Platform } from '@corner/chassis';
import type { Accounts } from './adapters/accounts.ts';
import type { Payments } from './adapters/payments.ts';
import type { ProviderEvents, WebhookVerifier } from './adapters/provider-events.ts';

/** The adapters of the payment provider. */
export interface Provider {
  readonly payments: Payments;
  readonly accounts: Accounts;
  readonly providerEvents: ProviderEvents;
  readonly webhookVerifier: WebhookVerifier;
}

/** What every entry point of orders receives. */
export interface Context extends Provider {
  readonly database: Database;
  readonly call: Call;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  /** Minutes an unpaid order keeps its holds. */
  readonly holdMinutes: number;
}

/** Creates the context of a running service. */
export const createContext = ({ database, call, now, newId, log }: Platform, provider: Provider, holdMinutes: number): Context => ({
  ...provider,
  database,
  call,
  now,
  newId,
  log,
  holdMinutes,
});
