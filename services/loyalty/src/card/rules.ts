import assert from 'node:assert';
import type { StampEvidence } from '@corner/contracts';

interface CountedStamp {
  readonly source: string;
  readonly reason?: string | null | undefined;
  readonly byId?: string | null | undefined;
}

/** Returns the evidence of a stamp that counts. `stampEvidenceSql` decides the same in the database. */
export function evidenceOf({ source, reason, byId }: CountedStamp): StampEvidence {
  if (source === 'order' || source === 'visit' || source === 'membership' || source === 'import') return source;
  if (reason === 'nfc_proof') return 'tap';
  return byId === null || byId === undefined ? 'code' : 'staff';
}

export function vouchersDue(stampCount: number, goal: number): { readonly vouchers: number; readonly stampCount: number } {
  assert(goal > 0);
  const vouchers = Math.floor(stampCount / goal);
  return { vouchers, stampCount: stampCount - vouchers * goal };
}

/** Stamps of a card. `unused`: ids of the approved ones that were not used, the oldest first. `debt`: how many the card owes. */
export interface CardStamps {
  readonly unused: readonly string[];
  readonly debt: number;
}

/** Divides a card's unused stamps, the oldest first: they pay its debt, then complete a voucher each time they reach the goal. */
export function divideStamps({ unused, debt }: CardStamps, goal: number): DividedStamps {
  const payingDebt = unused.slice(0, debt);
  const free = unused.slice(payingDebt.length);
  const { vouchers } = vouchersDue(free.length, goal);
  return {
    payingDebt,
    completing: Array.from({ length: vouchers }, (_, index) => free.slice(index * goal, (index + 1) * goal)),
    card: { unused: free.slice(vouchers * goal), debt: debt - payingDebt.length },
  };
}

export interface DividedStamps {
  readonly payingDebt: readonly string[];
  readonly completing: readonly (readonly string[])[];
  readonly card: CardStamps;
}

/** Returns the card's count after each of `added` stamps, the last of which brought it to `stampCount`. Stamps that pay a debt leave it at 0. */
export const countsAfterEach = (stampCount: number, added: number): number[] =>
  Array.from({ length: added }, (_, index) => Math.max(0, stampCount - (added - 1 - index)));

const quotas: Readonly<Record<string, number | null>> = { free: 100, starter: 1_000, growth: 5_000, pro: null };

/** Returns a store's stamps per month: its own quota where one was agreed, otherwise its plan's; null is unlimited. */
export const monthlyQuota = (planKey: string, own: number | null | undefined): number | null =>
  own === undefined ? (quotas[planKey] ?? null) : own;

interface StampLimits {
  readonly daily_stamp_limit: number;
  readonly monthly_stamp_quota: number | null;
}

interface StampUsage {
  readonly day: number;
  readonly month: number;
}

export const dailyLimitReached = ({ daily_stamp_limit }: StampLimits, { day }: StampUsage): boolean => day >= daily_stamp_limit;

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

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Returns a voucher's code: ten characters without look-alikes. `pick` returns a random whole number below its argument. */
export const voucherCode = (pick: (below: number) => number): string =>
  Array.from({ length: 10 }, () => alphabet[pick(alphabet.length)]).join('');

export type VoucherStatus = 'active' | 'reserved' | 'redeemed' | 'expired' | 'voided';

/** A person's change of a card. `confirmed`: several stamps at once. `imported`: stamps that an operator brought from another system. */
export type LogKind = 'granted' | 'undone' | 'approved' | 'rejected' | 'redeemed' | 'confirmed' | 'imported';

/** For this many days a repeated redemption still returns its stamp, and a repeated cancellation the status of its request. */
export const keptDays = 7;

export const keptSince = (now: Date): Date => new Date(now.getTime() - keptDays * 86_400_000);
