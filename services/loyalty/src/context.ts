import type { Database, Log, Platform, VerifyToken } from '@corner/chassis';
import type { NfcKeys } from './codes-and-taps/crypto.ts';
import type { LoyaltyConfig } from './config.ts';

export interface Context {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  readonly verifyToken: VerifyToken;
  readonly nfcKeys: NfcKeys;
  readonly codeSecret: string;
}

export const createContext = ({ database, now, newId, log, verifyToken }: Platform, config: LoyaltyConfig): Context => ({
  database,
  now,
  newId,
  log,
  verifyToken,
  nfcKeys: { versions: new Map(Object.entries(config.NFC_KEYS)), systemId: config.NFC_SYSTEM_ID },
  codeSecret: config.STAMP_CODE_SECRET,
});
