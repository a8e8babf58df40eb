import type { Transaction } from '@corner/chassis';
import { shareRetryMs, shareStep } from '../rules/disputes.ts';
import { type DisputeRow, lockDispute, scheduleShare, writeShareMovement } from '../tables/disputes.ts';
import { enterMovements } from '../tables/ledger.ts';
import { appendLog } from '../tables/log.ts';
import { lockFamily } from '../tables/order-family.ts';
import type { OrderRow } from '../tables/orders.ts';

interface Moved {
  readonly id: string;
  readonly amountPence: number;
}

/** Stores that the store's share of a dispute was taken back or paid again, once, in the ledger and the log. Returns the updated dispute. */
export async function settleShare(
  tx: Transaction,
  order: OrderRow,
  { id }: DisputeRow,
  step: 'reverse' | 'repay',
  moved: Moved,
): Promise<DisputeRow | null> {
  await lockFamily(tx, order.store_id, order.id);
  const dispute = await lockDispute(tx, id);
  if (!dispute || dispute[idColumn[step]] !== null) return dispute;
  await writeShareMovement(tx, id, step, moved.id);
  const after = { ...dispute, [idColumn[step]]: moved.id };
  await scheduleShare(tx, id, shareStep(after) ? tx.now : null, 0);
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

const idColumn = { reverse: 'reversal_id', repay: 'repayment_id' } as const;

/** Schedules the next try for a share that the provider did not move, and returns how many failures there were. */
export async function postponeShare(tx: Transaction, { id }: DisputeRow): Promise<number> {
  const dispute = await lockDispute(tx, id);
  // Another replica may have moved or postponed it meanwhile.
  if (!dispute?.share_due_at || Date.parse(dispute.share_due_at) > tx.now.getTime()) return dispute?.share_failures ?? 0;
  const failures = dispute.share_failures + 1;
  await scheduleShare(tx, id, new Date(tx.now.getTime() + shareRetryMs(failures)), failures);
  return failures;
}
