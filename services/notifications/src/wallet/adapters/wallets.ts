import type { CompletePass, PassState, WalletName } from '../rules.ts';

export interface UpdateResult {
  readonly goneTokens: readonly string[];
  /** Why not everything could be updated; null when it was. */
  readonly fault: unknown;
}

export interface Wallet {
  /** The address of the provider's server, for the span of an update. */
  readonly server: string;
  /** Brings a pass up to date. `pushTokens` are the devices that are registered for it. Can be repeated. Never throws. */
  update(pass: CompletePass, pushTokens: readonly string[]): Promise<UpdateResult>;
  close(): Promise<void>;
}

export interface AppleWallet extends Wallet {
  readonly passTypeId: string;
  sign(pass: CompletePass): Promise<Buffer>;
  /** Returns the address from which a customer’s phone can download the pass until `expires`. */
  downloadLink(pass: Pick<PassState, 'serial' | 'authToken'>, expires: Date): string;
}

export interface GoogleWallet extends Wallet {
  saveLink(pass: CompletePass, now: Date): Promise<string>;
}

/** The wallets by name; null for one that is not set up. */
export interface Wallets extends Readonly<Record<WalletName, Wallet | null>> {
  readonly apple: AppleWallet | null;
  readonly google: GoogleWallet | null;
}
