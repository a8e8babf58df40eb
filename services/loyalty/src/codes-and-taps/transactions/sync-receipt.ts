import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { dailyLimitReached, monthlyQuotaExceeded } from '../../card/rules.ts';
import { type EarlierStamp, findEarlierStamp, lockQuota, readCardBalance, readStampUsage } from '../../card/tables/stamps.ts';
import { changeCard, type LockedCard } from '../../card/transactions.ts';
import type { NfcKeys } from '../crypto.ts';
import { type ProofFields, type ReceiptReason, receiptApproved } from '../rules.ts';
import { useOfflineTap } from '../tables.ts';
import { collectStamp } from './redeem-stamp-code.ts';
import { verifyTap } from './verify-tap.ts';

/**
 * Collects the stamp of an offline tap's receipt, once. It counts at once with a proof of an unused tap; otherwise it waits for approval.
 * Throws LOYALTY_DISABLED, DAILY_LIMIT_REACHED (for the day of the tap) and MONTHLY_LIMIT_REACHED.
 */
export async function syncReceipt(tx: Transaction, receipt: Receipt, keys: NfcKeys): Promise<SyncedReceipt> {
  await lockQuota(tx, receipt.storeId);
  const earlier = await findEarlierStamp(tx, { receiptId: receipt.receiptId, customerId: receipt.customerId });
  if (earlier) return await replay(tx, receipt, earlier);
  return await changeCard(tx, receipt, (card) => stampCard(tx, card, receipt, keys));
}

async function stampCard(tx: Transaction, card: LockedCard | null, receipt: Receipt, keys: NfcKeys): Promise<SyncedReceipt> {
  if (!card?.enabled) throw new Problem('LOYALTY_DISABLED');
  const usage = await readStampUsage(tx, card, { collectedAt: receipt.tappedAt, now: tx.now });
  if (dailyLimitReached(card, usage)) throw new Problem('DAILY_LIMIT_REACHED');
  const reason = await useReceiptTap(tx, receipt, keys);
  const approved = receiptApproved(reason);
  if (approved && monthlyQuotaExceeded(card, usage)) throw new Problem('MONTHLY_LIMIT_REACHED');
  const id = tx.newId();
  const { source, receiptId, tappedAt: collectedAt } = receipt;
  const { stampCount, minted } = await collectStamp(tx, card, { id, source, approved, reason, collectedAt, receiptId });
  const status = approved ? 'approved' : 'pending';
  return { replayed: false, stampId: id, status, stampCount, goal: card.goal, voucherCode: minted[0]?.code ?? null };
}

async function replay(tx: Transaction, { customerId }: Receipt, stamp: EarlierStamp): Promise<SyncedReceipt> {
  const { stampCount } = await readCardBalance(tx, { programmeId: stamp.programmeId, customerId });
  const { id: stampId, status, goal, voucher_code: voucherCode } = stamp;
  return { replayed: true, stampId, status, stampCount, goal, voucherCode };
}

/** Verifies the tap of a receipt and uses it up. A receipt with a wrong proof is not refused: its stamp waits for approval. */
async function useReceiptTap(tx: Transaction, receipt: Receipt, keys: NfcKeys): Promise<ReceiptReason> {
  const tap = await verifyTap(tx, { id: receipt.storeId, nfcEnforced: false }, receipt, keys).catch((error: unknown) => {
    if (error instanceof Problem) return 'invalid' as const;
    throw error;
  });
  if (tap === 'invalid') return 'proof_invalid';
  if (tap === null) return 'no_proof';
  return (await useOfflineTap(tx, tap)) ? 'nfc_proof' : 'tap_replayed';
}

export interface Receipt extends ProofFields {
  readonly receiptId: string;
  readonly customerId: string;
  readonly storeId: string;
  readonly source: string;
  readonly tappedAt: Date;
}

export interface SyncedReceipt {
  readonly replayed: boolean;
  readonly stampId: string;
  readonly status: string;
  readonly stampCount: number;
  readonly goal: number;
  readonly voucherCode: string | null;
}
