import type { Transaction } from '@corner/chassis';
import { Problem, stampRejected } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { lockCard, type Minted, settleCard, standingOf, tellApproved } from './cards.ts';
import { quotaSpent, stampsAround } from './limits.ts';

/** What a review came to. */
export type Reviewed =
  | { readonly outcome: 'approved'; readonly already: boolean; readonly stampCount: number; readonly minted: Minted | null }
  | { readonly outcome: 'rejected'; readonly already: boolean }
  | { readonly outcome: 'over quota'; readonly limit: number; readonly used: number; readonly planKey: string };

export interface Review {
  readonly store_id: string;
  readonly stamp_id: string;
  readonly action: 'approve' | 'reject';
}

const Collected = z.object({ customer_id: z.string().nullable() });
const Waiting = z.object({ status: z.enum(['pending', 'approved', 'rejected', 'undone', 'reversed']), source: z.string() });

/**
 * Approves or rejects a pending stamp. Done already: nothing happens. One the plan's quota stops stays pending. Throws
 * STAMP_NOT_FOUND, STAMP_ALREADY_REJECTED for one that counts no more, STAMP_ALREADY_APPROVED.
 */
export async function reviewPending(tx: Transaction, review: Review, at: Date, newId: () => string): Promise<Reviewed> {
  const collected = await tx.maybeOne(sql.prepared('stamp-of-store', Collected)`
    select customer_id from stamp where id = ${review.stamp_id} and store_id = ${review.store_id}`);
  if (!collected) throw new Problem('STAMP_NOT_FOUND');
  const card = collected.customer_id ? await lockCard(tx, review.store_id, collected.customer_id, at, { quota: true }) : null;
  const { status, source } = await tx.one(sql.prepared('stamp-to-review', Waiting)`
    select status, source from stamp where id = ${review.stamp_id} for update`);

  if (review.action === 'reject') {
    if (status === 'approved') throw new Problem('STAMP_ALREADY_APPROVED');
    if (status !== 'pending') return { outcome: 'rejected', already: true };
    await tx.query(sql.prepared('reject-stamp', z.object({}))`update stamp set status = 'rejected' where id = ${review.stamp_id}`);
    if (card) {
      const { stampCount } = await standingOf(tx, card);
      await card.tellStamp(stampRejected, { stamp_id: review.stamp_id, source, order_id: null, stamp_count: stampCount });
    }
    return { outcome: 'rejected', already: false };
  }

  if (status === 'approved') {
    return { outcome: 'approved', already: true, stampCount: card ? (await standingOf(tx, card)).stampCount : 0, minted: null };
  }
  if (status !== 'pending') throw new Problem('STAMP_ALREADY_REJECTED');
  if (card) {
    const { month } = await stampsAround(tx, card, at, at);
    if (quotaSpent(card, month)) {
      return { outcome: 'over quota', limit: card.monthly_stamp_quota ?? 0, used: month, planKey: card.plan_key };
    }
  }
  await tx.query(sql.prepared('approve-stamp', z.object({}))`
    update stamp set status = 'approved', approved_at = ${at.toISOString()} where id = ${review.stamp_id}`);
  // A stamp nobody signed in for is settled between the store and its guest: there is no card it could count on.
  if (!card) return { outcome: 'approved', already: false, stampCount: 0, minted: null };
  const reached = await standingOf(tx, card);
  await tellApproved(card, [review.stamp_id], { source, order_id: null }, reached.stampCount);
  const { minted, stampCount } = await settleCard(tx, card, reached, at, newId);
  return { outcome: 'approved', already: false, stampCount, minted: minted[0] ?? null };
}
