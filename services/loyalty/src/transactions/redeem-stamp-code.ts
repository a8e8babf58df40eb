import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { exceededLimit } from '../rules/card.ts';
import { approvalOfCode, decideRedemption } from '../rules/codes.ts';
import { readCardBalance } from '../tables/cards.ts';
import { findCode, type StoreCode, useCode } from '../tables/stamp-codes.ts';
import { lockQuota, readStampUsage } from '../tables/stamp-usage.ts';
import { findEarlierStamp, insertGuestStamp } from '../tables/stamps.ts';
import { changeCard, type LockedCard } from './change-card.ts';
import { collectStamp, type MintedVoucher } from './count-stamps.ts';

/**
 * Redeems a code for the signed-in customer, else for the customer it was minted for, else for a guest. A repeat by the same customer
 * returns the first stamp. Throws CODE_NOT_FOUND, CODE_WRONG_STORE, CODE_EXPIRED, CODE_ALREADY_USED, LOYALTY_DISABLED,
 * DAILY_LIMIT_REACHED and MONTHLY_LIMIT_REACHED; the code stays unused then.
 */
export async function redeemStampCode(tx: Transaction, request: RedemptionRequest): Promise<RedeemedCode> {
  const found = request.codeHash && (await findCode(tx, request.codeHash));
  const decision = decideRedemption(found, { expectedStoreId: request.expectedStoreId, nowMs: tx.now.getTime() });
  if (decision.step === 'refuse') throw new Problem(decision.problem);
  const { code } = decision;
  const redeemer = request.customerId ?? code.customer_id;
  return decision.step === 'replay' ? await replay(tx, code, redeemer) : await redeem(tx, code, redeemer);
}

async function redeem(tx: Transaction, code: StoreCode, redeemer: string | null): Promise<RedeemedCode> {
  if (redeemer === null) return await redeemAsGuest(tx, code);
  const card = { storeId: code.store_id, customerId: redeemer };
  return await changeCard(tx, card, (locked) => redeemOnCard(tx, locked, code, redeemer), { quota: true });
}

async function redeemAsGuest(tx: Transaction, code: StoreCode): Promise<RedeemedCode> {
  await lockQuota(tx, code.store_id);
  const used = await useCode(tx, code);
  if (!used) return await replay(tx, code, null);
  if (!code.enabled) throw new Problem('LOYALTY_DISABLED');
  const stampId = tx.newId();
  const { goal } = code;
  await insertGuestStamp(tx, code.store_id, { id: stampId, source: used.source, collectedAt: tx.now, codeId: code.id, reason: 'guest' });
  return { code, stampId, approved: false, reason: 'guest', stampCount: 0, goal, voucher: null, replayed: false };
}

/** Redeems a code for the customer of a locked card. Quota and card are locked before the code, as when a tap is recorded on a code. */
async function redeemOnCard(tx: Transaction, card: LockedCard | null, code: StoreCode, redeemer: string): Promise<RedeemedCode> {
  const used = await useCode(tx, code);
  if (!used) return await replay(tx, code, redeemer);
  if (!card?.enabled) throw new Problem('LOYALTY_DISABLED');
  const { approved, reason } = approvalOfCode({
    presenceVerified: used.presence_verified,
    withoutProof: card.settings.codes_without_proof,
    mintedFor: code.customer_id,
    redeemer,
  });
  const exceeded = exceededLimit(card, await readStampUsage(tx, card, { collectedAt: tx.now, now: tx.now }), { approved });
  if (exceeded) throw new Problem(exceeded);
  const id = tx.newId();
  const stamp = { id, source: used.source, collectedAt: tx.now, codeId: code.id, approved, reason };
  const { stampCount, minted } = await collectStamp(tx, card, stamp);
  return { code, stampId: id, approved, reason, stampCount, goal: card.goal, voucher: minted[0] ?? null, replayed: false };
}

/** Returns the stamp of a used code to the customer, or the guest, who collected it. */
async function replay(tx: Transaction, code: StoreCode, redeemer: string | null): Promise<RedeemedCode> {
  const stamp = await findEarlierStamp(tx, { codeId: code.id });
  if (!stamp || stamp.customer_id !== redeemer) throw new Problem('CODE_ALREADY_USED');
  const { voucher_id, voucher_code } = stamp;
  return {
    code,
    stampId: stamp.id,
    approved: stamp.status === 'approved',
    reason: stamp.approval_reason,
    stampCount: redeemer === null ? 0 : (await readCardBalance(tx, { storeId: code.store_id, customerId: redeemer })).stampCount,
    goal: code.goal,
    voucher: voucher_id !== null && voucher_code !== null ? { id: voucher_id, code: voucher_code } : null,
    replayed: true,
  };
}

export interface RedemptionRequest {
  /** Null when the typed text is no code. */
  readonly codeHash: Buffer | null;
  readonly expectedStoreId: string | null | undefined;
  /** Null when the caller is not signed in. */
  readonly customerId: string | null;
}

export interface RedeemedCode {
  readonly code: StoreCode;
  readonly stampId: string;
  readonly approved: boolean;
  /** Why the stamp counts at once, or waits for approval. */
  readonly reason: string | null;
  readonly stampCount: number;
  readonly goal: number;
  /** The voucher the stamp completed; null when it completed none. */
  readonly voucher: MintedVoucher | null;
  /** Whether the code was redeemed before. */
  readonly replayed: boolean;
}
