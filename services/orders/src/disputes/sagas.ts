import { findOrder, type OrderRow } from '../order/tables/orders.ts';
import { Declined, shareRepaymentKey, shareReversalKey, Unanswered } from '../provider/rules.ts';
import { askProvider } from '../provider/sagas.ts';
import type { ShareMovement, Transfer } from './adapters.ts';
import type { DisputesContext } from './context.ts';
import { failedPayment, type ProviderDispute, shareStep } from './rules.ts';
import { type DisputeRow, findDueShares } from './tables.ts';
import { planShare, postponeShare, recordDispute, recordShareMovement } from './transactions.ts';

export async function moveStoreShares(context: DisputesContext): Promise<void> {
  for (const dispute of await findDueShares(context.database, context.now(), context.mode)) {
    try {
      await moveStoreShare(context, dispute);
    } catch (error) {
      context.log.warn({ err: error, dispute_id: dispute.id }, 'the store’s share of a disputed payment is tried again at the next run');
    }
  }
}

/** Applies the provider's disputes to a paid order, and moves the store's share of each that is due. */
export async function applyDisputes(context: DisputesContext, order: OrderRow, intentId: string): Promise<void> {
  const askedAt = context.now();
  for (const dispute of await context.disputes.disputesOf(intentId)) {
    const ids = { storeId: order.store_id, orderId: order.id };
    const noted = await context.database.transaction((tx) => recordDispute(tx, ids, dispute, askedAt));
    if (noted?.share_due_at && Date.parse(noted.share_due_at) <= context.now().getTime()) await moveStoreShare(context, noted);
  }
}

interface FailedPayment {
  readonly failedCharge: string;
  readonly provider_ref: string;
  readonly amount_pence: number;
  readonly fee_pence: number | null;
  readonly currency: string;
}

/**
 * Records that a payment failed after it had succeeded, as a bank debit can for days. It is a dispute that was lost at once: its money is
 * gone, the order cannot be refunded, and its stamps and the store's share are taken back. Repeating it changes nothing.
 */
export async function recordFailedPayment(context: DisputesContext, order: OrderRow, movement: FailedPayment): Promise<void> {
  const [ids, dispute] = [{ storeId: order.store_id, orderId: order.id }, disputeOfFailure(movement)];
  const noted = await context.database.transaction((tx) => recordDispute(tx, ids, dispute, context.now()));
  context.log.warn({ order_id: order.id }, 'a payment failed after it had succeeded: its money was taken back');
  if (noted?.share_due_at && Date.parse(noted.share_due_at) <= context.now().getTime()) await moveStoreShare(context, noted);
}

const disputeOfFailure = ({ failedCharge, provider_ref, amount_pence, fee_pence, currency }: FailedPayment): ProviderDispute => ({
  id: failedCharge,
  state: 'lost',
  reason: failedPayment,
  amountPence: -amount_pence,
  currency,
  evidenceDueBy: null,
  awaitsEvidence: false,
  chargeId: failedCharge,
  movements: [{ id: provider_ref, amountPence: amount_pence, feePence: fee_pence ?? 0, currency }],
});

/**
 * Takes back the store's share of a disputed payment, or pays it again after the dispute was won. When the provider declines or does not
 * respond, the movement is due again later, and nothing is thrown.
 */
export async function moveStoreShare(context: DisputesContext, dispute: DisputeRow): Promise<void> {
  const { database, log } = context;
  const order = await findOrder(database, dispute.store_id, dispute.order_id);
  if (!order) throw new Error(`dispute ${dispute.id} has no order`);
  try {
    await moveWhatIsDue(context, order, dispute);
  } catch (error) {
    const isProvider = error instanceof Declined || error instanceof Unanswered;
    if (!isProvider) throw error;
    const failures = await database.transaction((tx) => postponeShare(tx, dispute));
    const about = { err: error, order_id: order.id, dispute_id: dispute.id, failures };
    if (error instanceof Declined && failures === 1)
      log.error(about, 'the provider declined to move the store’s share of a disputed payment');
    else log.warn(about, 'the store’s share of a disputed payment could not be moved yet');
  }
}

/** A dispute that is won may need both movements: the reversal, when its response was lost, and the repayment. */
async function moveWhatIsDue(context: DisputesContext, order: OrderRow, found: DisputeRow): Promise<void> {
  const { database, transfers } = context;
  let dispute: DisputeRow | null = found;
  for (let step = shareStep(dispute); dispute && step; step = dispute && shareStep(dispute)) {
    const now: DisputeRow = dispute;
    const transfer = step === 'reverse' && order.payment_intent_id ? await transfers.transferOf(order.payment_intent_id) : null;
    const left = transfer && transfer.amountPence - transfer.reversedPence;
    const planned: DisputeRow | null = step === 'reverse' ? await database.transaction((tx) => planShare(tx, order, now, left)) : now;
    if (!planned || shareStep(planned) !== step) {
      dispute = planned;
      continue;
    }
    const moved = step === 'repay' ? await repay(context, order, planned) : transfer && (await reverse(context, order, planned, transfer));
    if (!moved) return;
    const done = { ...moved, step };
    dispute = await database.transaction((tx) => recordShareMovement(tx, order, planned, done));
  }
}

const reverse = (context: DisputesContext, order: OrderRow, dispute: DisputeRow, transfer: Transfer): Promise<ShareMovement> =>
  askProvider(context, {
    purpose: 'transfer_reversal',
    reference: dispute.id,
    keyName: shareReversalKey(dispute.id),
    make: (key) => context.transfers.reverseTransfer(transfer.id, { ...shareOf(order, dispute), withFee: false }, key),
    find: async () => ofDispute(await context.transfers.reversalsOf(transfer.id), dispute.id),
  });

const repay = (context: DisputesContext, order: OrderRow, dispute: DisputeRow): Promise<ShareMovement> =>
  askProvider(context, {
    purpose: 'transfer',
    reference: dispute.id,
    keyName: shareRepaymentKey(dispute.id),
    make: (key) =>
      context.transfers.payStore({ ...shareOf(order, dispute), account: order.connected_account_id, currency: order.currency }, key),
    find: async () => ofDispute(await context.transfers.transfersOf(order.id), dispute.id),
  });

const shareOf = (order: OrderRow, { id, share_pence }: DisputeRow) =>
  ({ madeFor: { kind: 'dispute', id }, orderId: order.id, amountPence: share_pence ?? 0 }) as const;

const ofDispute = (movements: readonly ShareMovement[], id: string): ShareMovement | null =>
  movements.find(({ madeFor }) => madeFor === id) ?? null;
