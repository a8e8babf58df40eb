import type { Call, Database, Log, Platform } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import { modeOf, type OrdersConfig } from './config.ts';
import type { ReceiptLinks } from './order/crypto.ts';

/** What every entry point of orders receives. A wing that needs more extends it in its own context.ts. */
export interface Context {
  readonly database: Database;
  readonly call: Call;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  /** The provider's mode: in `test` no money moves. */
  readonly mode: ProviderMode;
  /** Minutes an unpaid order keeps its holds. */
  readonly holdMinutes: number;
  /** Minutes it keeps them while no one has tried to pay it; at most `holdMinutes`. */
  readonly untriedHoldMinutes: number;
  /** The secret of the hashes of devices, and of the tokens of printers. */
  readonly deviceSecret: string;
  readonly receiptLinks: ReceiptLinks;
}

/** Returns what all wings share of the context of a running service. */
export const createContext = ({ database, call, now, newId, log }: Platform, config: OrdersConfig): Context => ({
  database,
  call,
  now,
  newId,
  log,
  mode: modeOf(config.STRIPE_SECRET_KEY),
  holdMinutes: config.HOLD_MINUTES,
  untriedHoldMinutes: Math.min(config.UNTRIED_HOLD_MINUTES, config.HOLD_MINUTES),
  deviceSecret: config.DEVICE_HASH_SECRET,
  receiptLinks: { secret: config.DEVICE_HASH_SECRET, baseUrl: config.PUBLIC_BASE_URL ?? null },
});
