import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { NfcKeys } from '../nfc/verify-proof.ts';
import type { ProofFields } from '../rules/proof-sent.ts';
import { type Card, lockCard, type Minted, standingOf } from './cards.ts';
import { collectStamp } from './collect-stamp.ts';
import { lockQuota, quotaSpent, stampsAround } from './limits.ts';
import { stampBefore } from './stamp-before.ts';
import { provedTap, useOfflineTap } from './taps.ts';

/** A tap made offline, its store found and its time read. */
export interface Receipt extends ProofFields {
  readonly receiptId: string;
  readonly customerId: string;
  readonly storeId: string;
  readonly source: string;
  readonly tappedAt: Date;
}

/** What a receipt came to. */
export interface Synced {
  readonly duplicate: boolean;
  readonly stampId: string;
  readonly status: string;
  readonly stampCount: number;
  readonly goal: number;
  readonly minted: Pick<Minted, 'code'> | null;
}

/**
 * Turns a receipt into its stamp, once. It counts at once when it proves a tap nobody used; else it waits for approval. Throws
 * LOYALTY_DISABLED, DAILY_LIMIT_REACHED for the day of the tap, MONTHLY_LIMIT_REACHED: nothing is changed or used up then.
 */
export async function syncReceipt(tx: Transaction, receipt: Receipt, keys: NfcKeys, at: Date, newId: () => string): Promise<Synced> {
  await lockQuota(tx, receipt.storeId);
  const before = await stampBefore(tx, receipt);
  if (before) {
    const { stampCount } = await standingOf(tx, { storeId: before.store_id, customerId: receipt.customerId });
    const minted = before.voucher_code === null ? null : { code: before.voucher_code };
    return { duplicate: true, stampId: before.id, status: before.status, stampCount, goal: before.goal, minted };
  }
  const card = await lockCard(tx, receipt.storeId, receipt.customerId, at);
  if (!card?.enabled) throw new Problem('LOYALTY_DISABLED');
  const { day, month } = await stampsAround(tx, card, receipt.tappedAt, at);
  if (day >= card.daily_stamp_limit) throw new Problem('DAILY_LIMIT_REACHED');
  const reason = await judgeReceipt(tx, card, receipt, keys, at);
  const approved = reason === 'nfc_proof';
  if (approved && quotaSpent(card, month)) throw new Problem('MONTHLY_LIMIT_REACHED');
  const id = newId();
  const status = approved ? 'approved' : 'pending';
  const { source, receiptId, tappedAt: collectedAt } = receipt;
  const { stampCount, minted } = await collectStamp(tx, card, { id, source, status, reason, collectedAt, receiptId }, at, newId);
  return { duplicate: false, stampId: id, status, stampCount, goal: card.goal, minted: minted[0] ?? null };
}

type Judged = 'nfc_proof' | 'no_proof' | 'proof_invalid' | 'tap_replayed';

/** Whether a receipt proves its tap, and uses the tap up if so. */
async function judgeReceipt(tx: Transaction, { storeId }: Card, receipt: Receipt, keys: NfcKeys, at: Date): Promise<Judged> {
  const tap = await provedTap(tx, { id: storeId, nfcEnforced: false }, receipt, keys).catch((error: unknown) => {
    // What refuses a request makes a receipt wait: whoever was there should not lose the stamp for a bad tag.
    if (error instanceof Problem) return 'refused' as const;
    throw error;
  });
  if (tap === 'refused') return 'proof_invalid';
  if (tap === null) return 'no_proof';
  return (await useOfflineTap(tx, tap, at)) ? 'nfc_proof' : 'tap_replayed';
}
