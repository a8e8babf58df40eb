import assert from 'node:assert';

/** Returns how many vouchers a card's stamps complete, and the stamps left over. */
export function vouchersDue(stampCount: number, goal: number): { readonly vouchers: number; readonly stampCount: number } {
  assert(goal > 0);
  const vouchers = Math.floor(stampCount / goal);
  return { vouchers, stampCount: stampCount - vouchers * goal };
}

/** Returns the card's count after each of `added` stamps, the last of which brought it to `stampCount`. Stamps that pay a debt leave it at 0. */
export const countsAfterEach = (stampCount: number, added: number): number[] =>
  Array.from({ length: added }, (_, index) => Math.max(0, stampCount - (added - 1 - index)));

/** Stamps per month that each plan includes. Null: unlimited. */
const quotas: Readonly<Record<string, number | null>> = { free: 100, starter: 1_000, growth: 5_000, pro: null };

/** Returns a store's stamps per month: its own quota where one was agreed, otherwise its plan's. Null: unlimited. */
export const monthlyQuota = (planKey: string, own: number | null | undefined): number | null =>
  own === undefined ? (quotas[planKey] ?? null) : own;

export interface StampLimits {
  readonly daily_stamp_limit: number;
  /** Null: unlimited. */
  readonly monthly_stamp_quota: number | null;
}

/** How much of the limits is used: the customer's stamps of one day, and the store's approved stamps of one month. */
export interface StampUsage {
  readonly day: number;
  readonly month: number;
}

export const dailyLimitReached = ({ daily_stamp_limit }: StampLimits, { day }: StampUsage): boolean => day >= daily_stamp_limit;

/** Whether `added` more stamps would exceed the store's monthly quota. */
export const monthlyQuotaExceeded = (
  { monthly_stamp_quota }: Pick<StampLimits, 'monthly_stamp_quota'>,
  { month }: StampUsage,
  added = 1,
): boolean => monthly_stamp_quota !== null && month + added > monthly_stamp_quota;

/** Returns the limit that forbids one more stamp, or null. The monthly quota counts approved stamps only; the daily limit counts pending ones too. */
export function exceededLimit(
  limits: StampLimits,
  usage: StampUsage,
  { approved }: { readonly approved: boolean },
): 'DAILY_LIMIT_REACHED' | 'MONTHLY_LIMIT_REACHED' | null {
  if (dailyLimitReached(limits, usage)) return 'DAILY_LIMIT_REACHED';
  return approved && monthlyQuotaExceeded(limits, usage) ? 'MONTHLY_LIMIT_REACHED' : null;
}
