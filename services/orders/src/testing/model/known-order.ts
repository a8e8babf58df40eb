/** What responses said about an order, which callers rely on from then on. */
export interface KnownOrder {
  readonly id: string;
  readonly customerIndex: number;
  /** The request that placed it; null for a leg. */
  readonly request: Record<string, unknown> | null;
  readonly intentId: string | null;
  /** Whether a response said that it is paid; it then stays paid. */
  paid: boolean;
  /** The end that a response named; it then stays so. */
  ended: 'cancelled' | 'fulfilled' | null;
  /** The refunds by their attempt: what was asked, null for all that was left, and what the response said. */
  readonly refunds: Map<string, { readonly asked: number | null; readonly amount: number; readonly status: string }>;
}
