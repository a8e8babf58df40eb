/** What a caller was told of an order, and may rely on from then on. */
export interface Known {
  readonly id: string;
  readonly who: number;
  /** What it was placed by; null for a leg, which came with its order. */
  readonly wish: Record<string, unknown> | null;
  readonly intentId: string | null;
  /** Once said to be paid it stays so. */
  paid: boolean;
  /** Once said to be cancelled or handed over it stays so. */
  ended: 'cancelled' | 'fulfilled' | null;
  readonly refunds: Map<string, { readonly amount: number; readonly status: string }>;
}
