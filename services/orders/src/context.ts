import type { Call, Database, Log, Platform } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import type { Domains } from './accounts/adapters/domains.ts';
import type { Accounts } from './accounts/adapters.ts';
import { domainOf } from './accounts/rules.ts';
import { type OrderLimits, orderLimits } from './checkout/rules/limits.ts';
import { modeOf, type OrdersConfig } from './config.ts';
import type { Disputes, Transfers } from './disputes/adapters.ts';
import type { ProviderEvents, WebhookVerifier } from './events/adapters.ts';
import type { Balance } from './money/adapters.ts';
import type { ReceiptLinks } from './order/crypto.ts';
import type { Payments } from './payment/adapters.ts';
import type { Payouts } from './payouts/adapters.ts';
import type { Refunds } from './refunds/adapters.ts';
import { type BookSigner, createBookSigner } from './reports/crypto.ts';

/** The adapters of the payment provider. */
export interface Provider {
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly accounts: Accounts;
  readonly payouts: Payouts;
  readonly balance: Balance;
  readonly disputes: Disputes;
  readonly transfers: Transfers;
  readonly domains: Domains;
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
  /** The payments that this process is reading from the provider, by intent, and the events that wait for each. Of `syncPayment` alone. */
  readonly paymentsInSync: Map<string, { readonly result: Promise<unknown>; readonly eventIds: string[] }>;
  /** The provider's mode: in `test` no money moves. */
  readonly mode: ProviderMode;
  /** Minutes an unpaid order keeps its holds. */
  readonly holdMinutes: number;
  /** Minutes it keeps them while no one has tried to pay it; at most `holdMinutes`. */
  readonly untriedHoldMinutes: number;
  readonly orderLimits: OrderLimits;
  /** The secret of the hashes of devices, and of the tokens of printers. */
  readonly deviceSecret: string;
  readonly receiptLinks: ReceiptLinks;
  /** Signs the days that are closed. */
  readonly bookSigner: BookSigner;
  /** The domain of the shop's pages; null where there is none that the provider can register. */
  readonly shopDomain: string | null;
}

/** Creates the context of a running service. */
export const createContext = ({ database, call, now, newId, log }: Platform, provider: Provider, config: OrdersConfig): Context => ({
  ...provider,
  database,
  call,
  now,
  newId,
  log,
  paymentsInSync: new Map(),
  mode: modeOf(config.STRIPE_SECRET_KEY),
  holdMinutes: config.HOLD_MINUTES,
  untriedHoldMinutes: Math.min(config.UNTRIED_HOLD_MINUTES, config.HOLD_MINUTES),
  orderLimits: orderLimits(config),
  deviceSecret: config.DEVICE_HASH_SECRET,
  receiptLinks: { secret: config.DEVICE_HASH_SECRET, baseUrl: config.PUBLIC_BASE_URL ?? null },
  bookSigner: createBookSigner(config.BOOK_SIGNING_KEYS),
  shopDomain: domainOf(config.SHOP_URL),
});
