import { publish, type Transaction } from '@corner/chassis';
import { paymentDisputed, rulesOfCurrency } from '@corner/contracts';
import { nextVersionOf, orderFields } from '../order/rules/event-fields.ts';
import { cameTooLate } from '../order/rules/status.ts';
import { forceRetakeHolds, releaseHolds } from '../order/tables/holds.ts';
import { enterMovements } from '../order/tables/ledger.ts';
import { appendLog, type LogEntry } from '../order/tables/log.ts';
import { lockFamily, type OrderRow } from '../order/tables/orders.ts';
import { failedPayment, ledgerOfDispute, type ProviderDispute, type ShareStep, shareRetryMs, shareStep, storeShare } from './rules.ts';
import { type DisputeRow, findDisputes, lockDispute, sumBorneByStore, writeDispute, writeDisputed, writeShare } from './tables.ts';

/**
 * Records a dispute of an order's payment as the provider reported it at `askedAt`, and returns its row; null for an inquiry, and when the
 * store has no such order. Money and fees are entered in the ledger; each new state is logged and published once. A repeat, or a report
 * older than the stored one, changes nothing. While a dispute is open or lost, the order is disputed and cannot be refunded. A lost one
 * releases the promo code as a full refund does.
 */
export async function recordDispute(
  tx: Transaction,
  { storeId, orderId }: { readonly storeId: string; readonly orderId: string },
  dispute: ProviderDispute,
  askedAt: Date,
): Promise<DisputeRow | null> {
  // A recorded dispute that turns out to have cost nothing is over.
  const isRecorded = async () => (await findDisputes(tx, orderId)).some(({ id }) => id === dispute.id);
  const state = dispute.state ?? ((await isRecorded()) ? 'won' : null);
  if (!state) return null;
  const family = await lockFamily(tx, storeId, orderId);
  if (!family) return null;
  const { main } = family;
  const known = await findDisputes(tx, main.id);
  const stored = known.find(({ id }) => id === dispute.id);
  if (stored && Date.parse(stored.asked_at) > askedAt.getTime()) return stored;
  const before = stored?.state;
  const written = await writeDispute(tx, main, { ...dispute, state }, askedAt);
  await enterMovements(tx, main, ledgerOfDispute(dispute));
  if (before === state) return written;
  const row = await writeShare(tx, written, { share_due_at: dueAt(shareStep(written), tx.now), share_failures: 0 });
  // A dispute that was already won when first seen changes nothing here.
  if (!before && state === 'won') return row;
  const disputed = state !== 'won' || known.some((other) => other.id !== dispute.id && other.state !== 'won');
  await writeDisputed(tx, main.id, disputed);
  const promo = { storeId, orderIds: [main.id], kinds: ['promo'] } as const;
  if (state === 'lost') await releaseHolds(tx, promo);
  if (before === 'lost' && !main.fully_refunded && !cameTooLate(main)) await forceRetakeHolds(tx, promo);
  await appendLog(tx, logEntry(main, dispute, state));
  await publish(tx, paymentDisputed, {
    ...nextVersionOf(main),
    data: {
      ...orderFields(main),
      dispute_id: dispute.id,
      state,
      amount_pence: dispute.amountPence,
      currency: dispute.currency,
      reason: dispute.reason,
      evidence_due_by: dispute.evidenceDueBy?.toISOString() ?? null,
    },
  });
  return row;
}

const entries = {
  opened: { kind: 'dispute_opened', title: 'The customer’s bank disputes the payment' },
  won: { kind: 'dispute_closed', title: 'The dispute of the payment was won: the money is back' },
  lost: { kind: 'dispute_lost', title: 'The dispute of the payment was lost: the customer keeps the money' },
} as const;

function logEntry(main: OrderRow, { reason, evidenceDueBy, amountPence }: ProviderDispute, state: keyof typeof entries): LogEntry {
  const due = evidenceDueBy && state === 'opened' ? `evidence is due by ${evidenceDueBy.toISOString()}` : null;
  return {
    ...entries[state],
    ...(reason === failedPayment ? { title: 'The payment failed after it had succeeded: the bank took its money back' } : {}),
    storeId: main.store_id,
    orderId: main.id,
    detail: [reason?.replaceAll('_', ' '), due].filter(Boolean).join('; ') || null,
    amountPence,
  };
}

/**
 * Decides once, under the dispute's lock, how much of the store's transfer is taken back, and returns the updated dispute.
 * `leftOfTransferPence` is null without a transfer.
 */
export async function planShare(
  tx: Transaction,
  order: OrderRow,
  { id }: DisputeRow,
  leftOfTransferPence: number | null,
): Promise<DisputeRow | null> {
  const dispute = await lockDispute(tx, id);
  if (!dispute || dispute.share_pence !== null) return dispute;
  const others = (await findDisputes(tx, order.id)).filter(
    (other) => other.id !== id && other.borne_by === 'store' && other.state !== 'won',
  );
  const share = storeShare({
    disputedPence: dispute.amount_pence,
    paidPence: order.total_pence,
    feePence: order.application_fee_pence,
    coveredPence: (await sumBorneByStore(tx, order.id)) + others.reduce((sum, { amount_pence }) => sum + amount_pence, 0),
    leftOfTransferPence: leftOfTransferPence ?? 0,
    step: rulesOfCurrency(order.currency).step,
  });
  return await writeShare(tx, dispute, { share_pence: share, ...(share === 0 ? { share_due_at: null, share_failures: 0 } : {}) });
}

interface Moved {
  readonly step: 'reverse' | 'repay';
  readonly id: string;
  readonly amountPence: number;
}

export async function recordShareMovement(
  tx: Transaction,
  order: OrderRow,
  { id }: DisputeRow,
  { step, ...moved }: Moved,
): Promise<DisputeRow | null> {
  await lockFamily(tx, order.store_id, order.id);
  const dispute = await lockDispute(tx, id);
  if (!dispute || dispute[idColumn[step]] !== null) return dispute;
  const ids = { [idColumn[step]]: moved.id };
  const after = await writeShare(tx, dispute, {
    ...ids,
    share_due_at: dueAt(shareStep({ ...dispute, ...ids }), tx.now),
    share_failures: 0,
  });
  const taken = step === 'reverse';
  await enterMovements(tx, order, [
    {
      kind: taken ? 'transfer_reversal' : 'transfer',
      provider_ref: moved.id,
      amount_pence: taken ? moved.amountPence : -moved.amountPence,
      currency: order.currency,
    },
  ]);
  await appendLog(tx, {
    storeId: order.store_id,
    orderId: order.id,
    kind: taken ? 'dispute_share_taken' : 'dispute_share_repaid',
    title: taken
      ? 'The store’s share of the disputed payment was taken from its account'
      : 'The store’s share was paid to its account again',
    amountPence: moved.amountPence,
  });
  return after;
}

const dueAt = (step: ShareStep, now: Date): string | null => (step ? now.toISOString() : null);

const idColumn = { reverse: 'reversal_id', repay: 'repayment_id' } as const;

export async function postponeShare(tx: Transaction, { id }: DisputeRow): Promise<number> {
  const dispute = await lockDispute(tx, id);
  // Another replica may have moved or postponed it meanwhile.
  if (!dispute?.share_due_at || Date.parse(dispute.share_due_at) > tx.now.getTime()) return dispute?.share_failures ?? 0;
  const failures = dispute.share_failures + 1;
  const share_due_at = new Date(tx.now.getTime() + shareRetryMs(failures)).toISOString();
  await writeShare(tx, dispute, { share_due_at, share_failures: failures });
  return failures;
}
