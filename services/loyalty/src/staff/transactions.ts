import type { Transaction } from '@corner/chassis';
import { type ChangedBy, Problem, stampRejected, stampUndone } from '@corner/contracts';
import { exceededLimit, monthlyQuotaExceeded } from '../card/rules.ts';
import { findStore } from '../card/tables/directory.ts';
import type { CustomerAt } from '../card/tables/programmes.ts';
import { type EarlierStamp, findEarlierStamp, insertStamps, readCardBalance, readStampUsage } from '../card/tables/stamps.ts';
import { changeCard, countStamps, type Giver, type LockedCard, type MintedVoucher, otherThan } from '../card/transactions.ts';
import { decideReview, undoableSources, undoRefusal } from './rules.ts';
import { approveStamp, findGrantedStamp, findStampOwner, lockStamp, markUndone, rejectStamp } from './tables.ts';

/**
 * Grants a stamp at the counter and mints the voucher it completes. A repeat with the same grant key returns the first stamp. Throws
 * STORE_NOT_FOUND, LOYALTY_DISABLED, IDEMPOTENCY_KEY_REUSED, DAILY_LIMIT_REACHED and MONTHLY_LIMIT_REACHED.
 */
export async function grantStamp(tx: Transaction, request: GrantRequest): Promise<GrantedStamp> {
  return await changeCard(tx, request, (card) => grant(tx, card, request), { quota: true });
}

async function grant(tx: Transaction, card: LockedCard | null, { storeId, grantKey, by }: GrantRequest): Promise<GrantedStamp> {
  if (!card?.enabled) throw new Problem((await findStore(tx, storeId)) ? 'LOYALTY_DISABLED' : 'STORE_NOT_FOUND');
  const earlier = grantKey === null ? null : await findStampOfGrant(tx, card, grantKey);
  if (earlier) {
    const { stampCount } = await readCardBalance(tx, card);
    return { stampId: earlier.id, stampCount, goal: card.goal, voucherCode: earlier.voucher_code, by: earlier.by, replayed: true };
  }
  const exceeded = exceededLimit(card, await readStampUsage(tx, card, { collectedAt: tx.now, now: tx.now }), { approved: true });
  if (exceeded) throw new Problem(exceeded);
  const stampId = tx.newId();
  const stamp = { id: stampId, approved: true, source: 'hub', collectedAt: tx.now, grantKey, by };
  const balance = await insertStamps(tx, card, [stamp], 'staff');
  const { minted, stampCount } = await countStamps(tx, card, { ids: [stampId], source: 'hub', byId: by.id }, balance);
  return { stampId, stampCount, goal: card.goal, voucherCode: minted[0]?.code ?? null, by, replayed: false };
}

async function findStampOfGrant(tx: Transaction, { storeId, customerId }: CustomerAt, grantKey: string): Promise<EarlierStamp | null> {
  const granted = await findEarlierStamp(tx, { storeId, grantKey });
  if (granted && granted.customer_id !== customerId)
    throw new Problem('IDEMPOTENCY_KEY_REUSED', { message: 'idempotency_key: it was used for another customer.' });
  return granted;
}

interface GrantRequest extends CustomerAt {
  readonly grantKey: string | null;
  readonly by: ChangedBy;
}

interface GrantedStamp extends LastChange {
  readonly stampId: string;
  readonly stampCount: number;
  readonly goal: number;
  readonly voucherCode: string | null;
  readonly replayed: boolean;
}

/**
 * The person at the store who changed the stamp last: the caller, or the one who made the same change before. Null when no one there did.
 */
interface LastChange {
  readonly by: ChangedBy | null;
}

/**
 * Undoes an unused stamp that was granted at the counter or imported. Returns the number of stamps left. A stamp that was undone already is
 * left unchanged. Throws STAMP_NOT_FOUND, STAMP_NOT_UNDOABLE and STAMP_ALREADY_USED.
 */
export async function undoStamp(tx: Transaction, request: UndoRequest): Promise<LastChange & { readonly stampCount: number }> {
  const { stampId, by } = request;
  return await changeCard(tx, { ...request, of: { stampId } }, async (card) => {
    if (!card) throw new Problem('STAMP_NOT_FOUND');
    const { undone, stampCount } = await markUndone(tx, { ...card, stampId, by }, undoableSources);
    if (undone !== null) {
      card.events.addStamp(stampUndone, { stampId, source: undone, stampCount, goal: card.goal, byId: by.id });
      return { stampCount, by };
    }
    const stamp = await findGrantedStamp(tx, card, stampId);
    const refusal = undoRefusal(stamp);
    if (refusal) throw new Problem(refusal);
    return { stampCount, by: stamp?.by ?? null };
  });
}

interface UndoRequest extends CustomerAt {
  readonly stampId: string;
  readonly by: ChangedBy;
}

/**
 * Approves or rejects a pending stamp; a repeated review leaves it unchanged. An approval beyond the store's monthly quota leaves it
 * pending. Throws INSUFFICIENT_ROLE for staff’s own stamp, STAMP_NOT_FOUND, STAMP_ALREADY_REJECTED (also for an undone or reversed stamp)
 * and STAMP_ALREADY_APPROVED.
 */
export async function reviewStamp(
  tx: Transaction,
  { giver, ...wanted }: Omit<Review, 'by'> & { readonly giver: Giver },
): Promise<Reviewed> {
  const owner = await findStampOwner(tx, wanted);
  if (!owner) throw new Problem('STAMP_NOT_FOUND');
  const { customer_id: customerId, programmeId } = owner;
  const review = { ...wanted, by: otherThan(customerId, giver) };
  if (customerId === null) return await decide(tx, null, review);
  return await changeCard(tx, { ...review, customerId, of: { programmeId } }, (card) => decide(tx, card, review), { quota: true });
}

async function decide(tx: Transaction, card: LockedCard | null, review: Review): Promise<Reviewed> {
  const { status, source, by } = await lockStamp(tx, review);
  const decision = decideReview(review.action, status);
  switch (decision.step) {
    case 'refuse':
      throw new Problem(decision.problem);
    case 'leave unchanged':
      if (review.action === 'reject') return { outcome: 'rejected', replayed: true, by };
      return { outcome: 'approved', replayed: true, by, stampCount: card ? (await readCardBalance(tx, card)).stampCount : 0, minted: null };
    case 'reject':
      return await reject(tx, card, review, source);
    case 'approve':
      return await approve(tx, card, review, source);
    default:
      return decision satisfies never;
  }
}

async function reject(tx: Transaction, card: LockedCard | null, review: Review, source: string): Promise<Reviewed> {
  const { by } = review;
  await rejectStamp(tx, { ...review, customerId: card?.customerId ?? null });
  if (card) {
    const { stampCount } = await readCardBalance(tx, card);
    card.events.addStamp(stampRejected, { stampId: review.stampId, source, stampCount, goal: card.goal, byId: by.id });
  }
  return { outcome: 'rejected', replayed: false, by };
}

async function approve(tx: Transaction, card: LockedCard | null, review: Review, source: string): Promise<Reviewed> {
  const { by } = review;
  if (!card) {
    // A guest's stamp is on no card: it is approved and counts toward nothing.
    await approveStamp(tx, { ...review, customerId: null });
    return { outcome: 'approved', replayed: false, by, stampCount: 0, minted: null };
  }
  const usage = await readStampUsage(tx, card, { collectedAt: tx.now, now: tx.now });
  if (monthlyQuotaExceeded(card, usage))
    return { outcome: 'over quota', limit: card.monthly_stamp_quota ?? 0, used: usage.month, planKey: card.plan_key };
  await approveStamp(tx, { ...review, customerId: card.customerId });
  const balance = await readCardBalance(tx, card);
  const { minted, stampCount } = await countStamps(tx, card, { ids: [review.stampId], source, byId: by.id }, balance);
  return { outcome: 'approved', replayed: false, by, stampCount, minted: minted[0] ?? null };
}

interface Review {
  readonly storeId: string;
  readonly stampId: string;
  readonly action: 'approve' | 'reject';
  readonly by: ChangedBy;
}

type Reviewed =
  | (LastChange & {
      readonly outcome: 'approved';
      readonly replayed: boolean;
      readonly stampCount: number;
      readonly minted: MintedVoucher | null;
    })
  | (LastChange & { readonly outcome: 'rejected'; readonly replayed: boolean })
  | { readonly outcome: 'over quota'; readonly limit: number; readonly used: number; readonly planKey: string };
