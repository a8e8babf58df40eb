import { applyProviderState } from '../confirmation/index.ts';
import { recordFailedPayment } from '../disputes/index.ts';
import type { LedgerEntry } from '../order/tables/ledger.ts';
import { findOrderById, findOrderByIntent, type OrderRow } from '../order/tables/orders.ts';
import { findPayableOrderByIntent } from '../payment/index.ts';
import type { MoneyContext } from './context.ts';
import { keyOf, type Movement, unmatched } from './rules.ts';
import { type Difference, findEntered, recordDifference } from './tables.ts';

/**
 * Compares movements of the provider's balance with the ledger. If the ledger lacks one, the provider's state is applied first, as an
 * event would do; only a remaining difference is recorded. Movements of other systems' orders are ignored.
 */
export async function compareMovements(context: MoneyContext, movements: readonly Movement[]): Promise<void> {
  const refs = movements.map(({ provider_ref }) => provider_ref);
  for (const movement of unmatched(movements, await findEntered(context.database, refs))) {
    const order = await orderOf(context, movement);
    if (!order) continue;
    if (movement.failedCharge && !(await isCharged(context, movement))) continue;
    if (movement.failedCharge && movement.kind === 'dispute')
      await recordFailedPayment(context, order, { ...movement, failedCharge: movement.failedCharge });
    else if (order.payment_intent_id) await tryToApply(context, order.payment_intent_id);
    const entered = await findEntered(context.database, [movement.provider_ref]);
    if (unmatched([movement], entered).length === 0) continue;
    await note(context, {
      kind: movement.kind,
      provider_ref: movement.provider_ref,
      store_id: order.store_id,
      order_id: order.id,
      provider_pence: movement.amount_pence,
      ledger_pence: entered.find((row) => keyOf(row) === keyOf(movement))?.amount_pence ?? null,
      currency: movement.currency,
    });
  }
}

/** Records ledger rows that the provider lacks. Each one missing from `movements` is looked up at the provider. */
export async function compareEntries(
  context: MoneyContext,
  entries: readonly LedgerEntry[],
  movements: readonly Movement[],
): Promise<void> {
  const known = new Set(movements.map(keyOf));
  for (const entry of entries) {
    if (known.has(keyOf(entry))) continue;
    const atProvider = await context.balance.movementsOf(entry.provider_ref);
    const order = await findOrderById(context.database, entry.order_id);
    if (!order || atProvider.some((movement) => keyOf(movement) === keyOf(entry))) continue;
    const { kind, provider_ref, store_id, order_id, amount_pence: ledger_pence } = entry;
    await note(context, { kind, provider_ref, store_id, order_id, provider_pence: null, ledger_pence, currency: order.currency });
  }
}

async function note({ database, log }: MoneyContext, difference: Difference): Promise<void> {
  if (!(await database.transaction((tx) => recordDifference(tx, difference)))) return;
  log.error(difference, 'the ledger differs from the balance of the payment provider, and no event explains it');
}

/** A charge that failed before its order was paid is not in the ledger: its two movements cancel out. */
const isCharged = async ({ database }: MoneyContext, { intentId }: Movement): Promise<boolean> =>
  intentId !== null && (await findEntered(database, [intentId])).some(({ kind }) => kind === 'charge');

async function orderOf({ database }: MoneyContext, { intentId, orderId }: Movement): Promise<OrderRow | null> {
  if (intentId) return await findOrderByIntent(database, intentId);
  return orderId ? await findOrderById(database, orderId) : null;
}

async function tryToApply(context: MoneyContext, intentId: string): Promise<void> {
  try {
    const order = await findPayableOrderByIntent(context.database, intentId);
    if (order) await applyProviderState(context, order, intentId, { refunds: true, disputes: true, eventId: null });
  } catch (error) {
    context.log.warn({ err: error }, 'a movement of the provider’s balance could not be applied');
  }
}
