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
