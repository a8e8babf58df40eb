import type { Call, Database, Log, Platform } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import { modeOf, type OrdersConfig } from './config.ts';
import type { ReceiptLinks } from './order/crypto.ts';

export interface Context {
  readonly database: Database;
  readonly call: Call;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  readonly mode: ProviderMode;
  readonly holdMinutes: number;
  readonly untriedHoldMinutes: number;
  /** The secret of the hashes of devices, and of the tokens of printers. */
  readonly deviceSecret: string;
  readonly receiptLinks: ReceiptLinks;
}

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
