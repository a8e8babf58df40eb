import type { PassState } from '../rules/pass-state.ts';

/** What became of telling a wallet. */
export interface OutboxEntry {
  /** Push tokens it will never know again. */
  readonly gone: readonly string[];
  /** Why not all could be told now; null when all were. */
  readonly fault: unknown;
}

/** A wallet on customers’ phones. */
export interface Wallet {
  /** Tells it how a pass stands. `devices` are the push tokens that asked to be told. Safe to repeat; it never throws. */
  publish(pass: PassState, devices: readonly string[]): Promise<OutboxEntry>;
  close(): Promise<void>;
}

export interface AppleWallet extends Wallet {
  readonly passTypeId: string;
  /** The signed bundle, a .pkpass. */
  sign(pass: PassState): Buffer;
  /** The address a customer’s phone downloads the pass from until `expires`. */
  downloadLink(pass: Pick<PassState, 'serial' | 'authToken'>, expires: Date): string;
}

export interface GoogleWallet extends Wallet {
  /** The address at Google that adds the pass. */
  saveLink(pass: PassState, at: Date): Promise<string>;
}

/** The wallets there are: null for one that is not configured. */
export interface Wallets {
  readonly apple: AppleWallet | null;
  readonly google: GoogleWallet | null;
}

export type WalletName = keyof Wallets;
