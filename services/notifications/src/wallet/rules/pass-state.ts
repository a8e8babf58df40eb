/** What a pass shows, and what it is known by. */
export interface PassState {
  readonly serial: string;
  readonly kind: 'stamp_card' | 'voucher';
  readonly customerId: string;
  readonly storeId: string;
  readonly voucherId: string | null;
  readonly authToken: string;
  /** ISO 8601, whole seconds: each edition of the pass has its own. */
  readonly modifiedAt: string;
  readonly storeName: string;
  readonly logoUrl: string | null;
  /** `#rrggbb`. */
  readonly background: string | null;
  /** Stamps toward the next reward, and how many it takes; null when nobody has said. */
  readonly stamps: number;
  readonly goal: number | null;
  readonly rewardTitle: string | null;
  /** Vouchers of the card that can be used. */
  readonly activeVouchers: number;
  /** Of a voucher’s own pass; a stamp card is always active. */
  readonly state: 'active' | 'redeemed' | 'voided' | 'expired';
}
