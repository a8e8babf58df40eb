import { publish, type Transaction } from '@corner/chassis';
import { paymentDisputed } from '@corner/contracts';
import { ledgerOfDispute, type ProviderDispute, shareStep } from '../rules/disputes.ts';
import { nextVersionOf, orderFields } from '../rules/order-event.ts';
import { type DisputeRow, findDisputes, scheduleShare, writeDispute, writeDisputed } from '../tables/disputes.ts';
import { forceRetakeHolds, releaseHolds } from '../tables/holds.ts';
import { enterMovements } from '../tables/ledger.ts';
import { appendLog, type LogEntry } from '../tables/log.ts';
import { lockFamily } from '../tables/order-family.ts';
import type { OrderRow } from '../tables/orders.ts';

/**
 * Notes a dispute of an order's payment as the provider reported it when it was asked at `askedAt`, and returns its row. Its money and
 * fees are entered in the ledger; each new state is logged and published once. A repeat, and the answer to an earlier question than the
 * stored one, change nothing. While a dispute is open or lost, the order is disputed and cannot be
 * refunded. A lost one releases the promo code as a full refund does. Null for an inquiry, and when the store has no such order.
 */
export async function noteDispute(
  tx: Transaction,
  { storeId, orderId }: { readonly storeId: string; readonly orderId: string },
  dispute: ProviderDispute,
  askedAt: Date,
): Promise<DisputeRow | null> {
  const { state } = dispute;
  if (!state) return null;
  const family = await lockFamily(tx, storeId, orderId);
  if (!family) return null;
  const { main } = family;
  const others = await findDisputes(tx, main.id);
  const stored = others.find(({ id }) => id === dispute.id);
  if (stored && Date.parse(stored.asked_at) > askedAt.getTime()) return stored;
  const before = stored?.state;
  const written = await writeDispute(tx, main, { ...dispute, state }, askedAt);
  await enterMovements(tx, main, ledgerOfDispute(dispute));
  if (before === state) return written;
  const shareDueAt = shareStep(written) ? tx.now : null;
  await scheduleShare(tx, written.id, shareDueAt, 0);
  const row = { ...written, share_due_at: shareDueAt?.toISOString() ?? null };
  // A dispute that was over and won before it was noticed has changed nothing here.
  if (!before && state === 'won') return row;
  const disputed = state !== 'won' || others.some((other) => other.id !== dispute.id && other.state !== 'won');
  await writeDisputed(tx, main.id, disputed);
  const promo = { storeId, orderIds: [main.id], kinds: ['promo'] } as const;
  if (state === 'lost') await releaseHolds(tx, promo);
  if (before === 'lost' && !main.fully_refunded && main.is_first !== null) await forceRetakeHolds(tx, promo);
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
    storeId: main.store_id,
    orderId: main.id,
    detail: [reason?.replaceAll('_', ' '), due].filter(Boolean).join('; ') || null,
    amountPence,
  };
}
