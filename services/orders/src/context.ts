import type { Call, Database, Log, Platform } from '@corner/chassis';
import type { Accounts } from './adapters/accounts.ts';
import type { Balance } from './adapters/balance.ts';
import type { Disputes } from './adapters/disputes.ts';
import type { Payments } from './adapters/payments.ts';
import type { ProviderEvents, WebhookVerifier } from './adapters/provider-events.ts';
import type { Transfers } from './adapters/transfers.ts';
import type { OrdersConfig } from './config.ts';

/** The adapters of the payment provider. */
export interface Provider {
  readonly payments: Payments;
  readonly accounts: Accounts;
  readonly balance: Balance;
  readonly disputes: Disputes;
  readonly transfers: Transfers;
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
  /** The payments that this process is settling, by intent. Of `settleUnpaid` alone. */
  readonly settling: Map<string, Promise<unknown>>;
  /** Minutes an unpaid order keeps its holds. */
  readonly holdMinutes: number;
  /** The secret of the hashes of devices. */
  readonly deviceSecret: string;
}

/** Creates the context of a running service. */
export const createContext = ({ database, call, now, newId, log }: Platform, provider: Provider, config: OrdersConfig): Context => ({
  ...provider,
  database,
  call,
  now,
  newId,
  log,
  settling: new Map(),
  holdMinutes: config.HOLD_MINUTES,
  deviceSecret: config.DEVICE_HASH_SECRET ?? config.DATABASE_URL,
});
