/** Stamps a month a plan gives; null has no end. */
const quotas: Readonly<Record<string, number | null>> = { free: 100, starter: 1_000, growth: 5_000, pro: null };

/** The quota a store has: its own where one was agreed, else its plan's. */
export const monthlyQuota = (planKey: string, own: number | null | undefined): number | null =>
  own === undefined ? (quotas[planKey] ?? null) : own;
