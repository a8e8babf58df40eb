import type { Transaction } from '@corner/chassis';
import { Problem, stampRejected } from '@corner/contracts';
import { monthlyQuotaExceeded } from '../rules/card.ts';
import { decideReview } from '../rules/reviews.ts';
import { readCardBalance } from '../tables/cards.ts';
import { approveStamp, findStampOwner, lockStamp, rejectStamp } from '../tables/stamp-changes.ts';
import { readStampUsage } from '../tables/stamp-usage.ts';
import { changeCard, type LockedCard } from './change-card.ts';
import { countStamps, type MintedVoucher } from './count-stamps.ts';

/**
 * Approves or rejects a pending stamp; a repeated review leaves it unchanged. An approval beyond the store's monthly quota leaves it
 * pending. Throws STAMP_NOT_FOUND, STAMP_ALREADY_REJECTED (also for an undone or reversed stamp) and STAMP_ALREADY_APPROVED.
 */
export async function reviewStamp(tx: Transaction, review: Review): Promise<Reviewed> {
  const owner = await findStampOwner(tx, review);
  if (!owner) throw new Problem('STAMP_NOT_FOUND');
  const { customer_id: customerId } = owner;
  if (customerId === null) return await decide(tx, null, review);
  return await changeCard(tx, { ...review, customerId }, (card) => decide(tx, card, review), { quota: true });
}

async function decide(tx: Transaction, card: LockedCard | null, review: Review): Promise<Reviewed> {
  const { status, source } = await lockStamp(tx, review);
  const decision = decideReview(review.action, status);
  switch (decision.step) {
    case 'refuse':
      throw new Problem(decision.problem);
    case 'leave unchanged':
      if (review.action === 'reject') return { outcome: 'rejected', replayed: true };
      return { outcome: 'approved', replayed: true, stampCount: card ? (await readCardBalance(tx, card)).stampCount : 0, minted: null };
    case 'reject':
      return await reject(tx, card, review, source);
    case 'approve':
      return await approve(tx, card, review, source);
    default:
      return decision satisfies never;
  }
}

async function reject(tx: Transaction, card: LockedCard | null, review: Review, source: string): Promise<Reviewed> {
  await rejectStamp(tx, review);
  if (card) {
    const { stampCount } = await readCardBalance(tx, card);
    card.events.addStamp(stampRejected, { stampId: review.stampId, source, stampCount, goal: card.goal });
  }
  return { outcome: 'rejected', replayed: false };
}

async function approve(tx: Transaction, card: LockedCard | null, review: Review, source: string): Promise<Reviewed> {
  if (!card) {
    // A guest's stamp is on no card: it is approved and counts toward nothing.
    await approveStamp(tx, review);
    return { outcome: 'approved', replayed: false, stampCount: 0, minted: null };
  }
  const usage = await readStampUsage(tx, card, { collectedAt: tx.now, now: tx.now });
  if (monthlyQuotaExceeded(card, usage))
    return { outcome: 'over quota', limit: card.monthly_stamp_quota ?? 0, used: usage.month, planKey: card.plan_key };
  await approveStamp(tx, review);
  const balance = await readCardBalance(tx, card);
  const { minted, stampCount } = await countStamps(tx, card, { ids: [review.stampId], source }, balance);
  return { outcome: 'approved', replayed: false, stampCount, minted: minted[0] ?? null };
}

export interface Review {
  readonly storeId: string;
  readonly stampId: string;
  readonly action: 'approve' | 'reject';
}

/** What a review came to. `replayed`: the stamp had been reviewed that way already. */
export type Reviewed =
  | { readonly outcome: 'approved'; readonly replayed: boolean; readonly stampCount: number; readonly minted: MintedVoucher | null }
  | { readonly outcome: 'rejected'; readonly replayed: boolean }
  | { readonly outcome: 'over quota'; readonly limit: number; readonly used: number; readonly planKey: string };
