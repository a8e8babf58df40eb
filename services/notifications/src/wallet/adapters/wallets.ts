import type { CompletePass, PassState, WalletName } from '../rules.ts';

export interface UpdateResult {
  readonly goneTokens: readonly string[];
  readonly fault: unknown;
}

export interface Wallet {
  readonly server: string;
  /**
   * Brings a pass up to date on the registered devices `pushTokens`. Idempotent. Never throws: `fault` is null when everything was updated.
   */
  update(pass: CompletePass, pushTokens: readonly string[]): Promise<UpdateResult>;
  close(): Promise<void>;
}

export interface AppleWallet extends Wallet {
  readonly passTypeId: string;
  sign(pass: CompletePass): Promise<Buffer>;
  downloadLink(pass: Pick<PassState, 'serial' | 'authToken'>, expires: Date): string;
}

export interface GoogleWallet extends Wallet {
  saveLink(pass: CompletePass, now: Date): Promise<string>;
}

export interface Wallets extends Readonly<Record<WalletName, Wallet | null>> {
  readonly apple: AppleWallet | null;
  readonly google: GoogleWallet | null;
}
