export type VoucherState = 'active' | 'redeemed' | 'voided' | 'expired';

/** What a voucher's pass shows that no table here holds. */
export interface VoucherDetails {
  readonly code: string;
  /** The last moment, ISO 8601. */
  readonly expires_at: string;
  /** The last day by the store's clock, `2026-08-29`. */
  readonly last_day: string;
}

/** A pass with all it shows. */
export interface CompletePass extends PassState {
  /** Null for a stamp card, and for a voucher that can no longer be used. */
  readonly details: VoucherDetails | null;
}

/** What is stored of a pass. */
export interface PassState {
  readonly serial: string;
  readonly kind: 'stamp_card' | 'voucher';
  readonly customerId: string;
  readonly storeId: string;
  /** Null for a stamp card. */
  readonly voucherId: string | null;
  readonly authToken: string;
  /** ISO 8601 in whole seconds. Each version of the pass has its own. */
  readonly modifiedAt: string;
  readonly storeName: string;
  readonly logoUrl: string | null;
  /** `#rrggbb`; null for the default colour. */
  readonly background: string | null;
  /** Stamps toward the next reward. */
  readonly stamps: number;
  /** Stamps a reward takes; null when no event has said. */
  readonly goal: number | null;
  readonly rewardTitle: string | null;
  /** How many of the card's vouchers can be used. */
  readonly activeVouchers: number;
  /** The state of a voucher's own pass. A stamp card is always active. */
  readonly state: VoucherState;
}

export type WalletName = 'apple' | 'google';

/** Whether a text can be a pass's serial number, which is a UUID. The database rejects anything else with an error. */
export const isSerial = (text: string): boolean => uuid.test(text);

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * The HTTP headers of a pass's bundle. Versions that follow each other within a second are dated ahead of the clock, but HTTP does not allow
 * `Last-Modified` in the future. A device with such a version is sent it once more, rather than missing the next one.
 */
export const passHeaders = ({ modifiedAt }: Pick<PassState, 'modifiedAt'>, now: Date): Record<string, string> => ({
  'Content-Type': 'application/vnd.apple.pkpass',
  'Last-Modified': new Date(Math.min(Date.parse(modifiedAt), now.getTime())).toUTCString(),
});
