import { type OutboxEntry, outboxEntry, publish, type Transaction } from '@corner/chassis';
import { orderRefunded, orderRefundFailed } from '@corner/contracts';
import { nextVersionOf, orderFields } from '../../order/rules/event-fields.ts';
import { isUnprepared } from '../../order/rules/status.ts';
import { drawerOf, isInCash, refundByTender, refundRef } from '../../order/rules/tenders.ts';
import { forceRetakeHolds, type HoldKind, releaseHolds, restockLines } from '../../order/tables/holds.ts';
import { enterMovements, findTenderEntries, lockOpenDrawer } from '../../order/tables/ledger.ts';
import { appendLog } from '../../order/tables/log.ts';
import { familyIds, lockFamily, type OrderFamily, type OrderRow } from '../../order/tables/orders.ts';
import type { ProviderOutcome } from '../../provider/rules.ts';
import { countsOfLines } from '../rules/lines.ts';
import { creditNoteOf, decideOutcome, logEntry, movementOf, type OutcomeChange } from '../rules/outcomes.ts';
import { findRefunds, insertDashboardRefund, markRejected, markReversed, type RefundRow, writeRefundOutcome } from '../tables.ts';

export type RefundOf = Pick<RefundRow, 'id' | 'store_id' | 'payment_order_id'>;

export async function recordRefundOutcome(
  tx: Transaction,
  { id, store_id, payment_order_id }: RefundOf,
  outcome: ProviderOutcome,
): Promise<RefundRow | null> {
  const family = await lockFamily(tx, store_id, payment_order_id);
  const refunds = await findRefunds(tx, payment_order_id);
  const refund = refunds.find((one) => one.id === id);
  return family && refund ? await recordOutcome(tx, { family, refunds, refund }, outcome) : null;
}

/**
 * Records a refund from the provider's list. `ownId` is the refund here that it was requested for. A refund made at the provider's
 * dashboard is stored once per provider id; so is a second one for the same request, which the provider made after responding with an
 * error.
 */
export async function recordProviderRefund(
  tx: Transaction,
  order: OrderRow,
  ownId: string | null,
  listed: ProviderOutcome & { readonly amountPence: number; readonly reversesTransfer: boolean },
): Promise<void> {
  const family = await lockFamily(tx, order.store_id, order.id);
  if (!family) return;
  const stored = await findRefunds(tx, order.id);
  const known =
    stored.find(({ provider_refund_id }) => provider_refund_id === listed.id) ??
    stored.find(({ id, provider_refund_id }) => id === ownId && provider_refund_id === null);
  const refund = known ?? (await insertDashboardRefund(tx, order, listed));
  await recordOutcome(tx, { family, refunds: known ? stored : [...stored, refund], refund }, listed);
}

interface LockedRefund {
  readonly family: OrderFamily;
  readonly refunds: readonly RefundRow[];
  readonly refund: RefundRow;
}

/**
 * When a refund is accepted for the first time, the ledger, the order's sums and the log change, and order.refunded is published; a full
 * refund releases the promo code and the pace of what is not begun, and units of lines go back on sale. When it fails after that, all of it is undone except the units. A
 * failure that the provider reports is logged and published as order.refund_failed, even if the refund was never accepted: the API had
 * returned `pending`. A report about another provider refund than the stored one changes nothing.
 */
async function recordOutcome(tx: Transaction, { family, refunds, refund }: LockedRefund, outcome: ProviderOutcome): Promise<RefundRow> {
  if ((refund.provider_refund_id ?? outcome.id) !== outcome.id) return refund;
  const decided = decideOutcome(family, refunds, refund, outcome);
  if (!decided) return refund;
  const { main } = family;
  const given = { storeId: main.store_id, orderIds: familyIds(family), kinds: givenBack(family, decided) };
  if (given.kinds.length > 0) await (decided.main.fully_refunded ? releaseHolds : forceRetakeHolds)(tx, given);
  const afterOutcome = refunds.map((one) => (one.id === refund.id ? { ...one, status: outcome.status } : one));
  await writeRefundOutcome(tx, {
    refund,
    outcome,
    change: decided,
    movements: await movementsOf(tx, main, movementOf(refund, decided.change), outcome.id),
    creditNote: creditNoteOf(refund, refunds, decided.change),
    lines: countsOfLines(refund, afterOutcome),
    entries: decided.change ? [logEntry(refund, outcome, decided.change)] : [],
    events: decided.change ? [eventOf(main, refund, outcome, decided)] : [],
  });
  if (decided.change === 'added' && refund.lines.some(({ restock }) => restock)) {
    await restockLines(tx, { storeId: main.store_id, refundId: refund.id });
  }
  return { ...refund, status: outcome.status, provider_refund_id: outcome.id, counted: decided.counted };
}

/** What a full refund gives back, and takes again when it fails: the promo code, and the pace while no part of the order is begun. */
function givenBack({ main, legs }: OrderFamily, { promo, main: { fully_refunded: isFull } }: OutcomeChange): readonly HoldKind[] {
  const isUnmade = isFull !== main.fully_refunded && [main, ...legs].every(isUnprepared);
  return [...(isUnmade ? ['pace' as const] : []), ...(promo ? ['promo' as const] : [])];
}

/** Counter payments are refunded by the tenders they came from. The cash of a partner's sale is not in the store's drawer. */
async function movementsOf(tx: Transaction, order: OrderRow, movement: ReturnType<typeof movementOf>, ref: string) {
  if (!movement) return [];
  const { kind, amountPence } = movement;
  if (order.channel === 'phone') return [{ kind, provider_ref: ref, amount_pence: amountPence, tender: null, drawer_id: null }];
  const parts = refundByTender(-amountPence, await findTenderEntries(tx, order.id));
  const drawerId = order.channel === 'counter' && isInCash(parts) ? await lockOpenDrawer(tx, order.store_id) : null;
  return parts.map((part, n) => ({
    kind,
    provider_ref: refundRef(ref, n),
    amount_pence: -part.amount_pence,
    tender: part.tender,
    drawer_id: drawerOf(part, drawerId),
  }));
}

function eventOf(order: OrderRow, refund: RefundRow, { failureReason }: ProviderOutcome, { change, main }: OutcomeChange): OutboxEntry {
  const fields = refundFields(order, refund, main.refunded_pence);
  if (change === 'added') {
    const data = { ...fields, paid_pence: order.total_pence, full: main.fully_refunded, voucher_id: order.voucher_id };
    return outboxEntry(orderRefunded, { ...nextVersionOf(order), data });
  }
  const removed = change === 'removed';
  const data = { ...fields, was_accepted: removed, was_full: removed && order.fully_refunded, reason: failureReason ?? null };
  return outboxEntry(orderRefundFailed, { ...nextVersionOf(order), data });
}

const refundFields = (order: OrderRow, refund: RefundRow, refundedPence: number) => ({
  ...orderFields(order),
  refund_id: refund.id,
  amount_pence: refund.amount_pence,
  cumulative_pence: refundedPence,
  currency: order.currency,
});

/**
 * Rejects a refund that the provider declined: no money moved, and the attempt is used up. Returns false when it was no longer pending.
 * With `announced`, order.refund_failed is published, because the API had returned `pending`.
 */
export async function rejectRefund(tx: Transaction, refund: RefundRow, reason: string, announced: boolean): Promise<boolean> {
  const family = await lockFamily(tx, refund.store_id, refund.payment_order_id);
  if (!family || !(await markRejected(tx, refund, announced))) return false;
  await appendLog(tx, {
    storeId: refund.store_id,
    orderId: refund.order_id,
    kind: 'refund_failed',
    title: 'The payment provider declined the refund',
    detail: reason,
    actor: refund.by_name,
    amountPence: refund.amount_pence,
  });
  if (!announced) return true;
  const { main } = family;
  const data = { ...refundFields(main, refund, main.refunded_pence), was_accepted: false, was_full: false, reason };
  await publish(tx, orderRefundFailed, { ...nextVersionOf(main), data });
  return true;
}

export async function recordReversal(
  tx: Transaction,
  order: OrderRow,
  refund: RefundRow,
  reversal: { readonly id: string; readonly amountPence: number },
): Promise<void> {
  await lockFamily(tx, order.store_id, order.id);
  await markReversed(tx, refund.id);
  const { id, amountPence } = reversal;
  await enterMovements(tx, order, [{ kind: 'transfer_reversal', provider_ref: id, amount_pence: amountPence, currency: order.currency }]);
}
