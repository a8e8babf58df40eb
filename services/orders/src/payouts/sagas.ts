import { recordDifference } from '../money/index.ts';
import type { PayoutsContext } from './context.ts';
import { isOrderId, wrongPayments } from './rules.ts';
import { findPaidAccounts, findPaidOrders, writeEntries, writePayouts } from './tables.ts';

/** A payout changes for some days after it was made; the first reading goes back this far. */
const lookBackMs = 35 * 24 * 3_600_000;

export async function readPayouts(context: PayoutsContext): Promise<void> {
  for (const accountId of await findPaidAccounts(context.database, context.mode)) {
    try {
      await lookAtPayouts(context, accountId);
    } catch (error) {
      context.log.warn({ err: error, account_id: accountId }, 'the payouts of an account could not be read yet');
    }
  }
}

/**
 * Reads the payouts of an account, and compares each paid-out payment with its order. Each difference is recorded once, as a difference of
 * the ledger. Safe to repeat, and to run twice at once. Throws PAYMENT_PROVIDER_ERROR.
 */
export async function lookAtPayouts(context: PayoutsContext, accountId: string): Promise<void> {
  const { database, payouts, now } = context;
  const listed = await payouts.payoutsOf(accountId, new Date(now().getTime() - lookBackMs));
  const open = new Set(await database.transaction((tx) => writePayouts(tx, accountId, listed)));
  for (const { id, isItemised } of listed.toReversed()) if (isItemised && open.has(id)) await matchPayout(context, accountId, id);
}

async function matchPayout({ database, payouts, log }: PayoutsContext, accountId: string, payoutId: string): Promise<void> {
  const read = await payouts.entriesOf(accountId, payoutId);
  const orders = await findPaidOrders(
    database,
    read.flatMap(({ orderId }) => (orderId !== null && isOrderId(orderId) ? [orderId] : [])),
  );
  const known = new Set(orders.map(({ id }) => id));
  const entries = read.map((entry) => ({ ...entry, orderId: entry.orderId !== null && known.has(entry.orderId) ? entry.orderId : null }));
  const wrong = wrongPayments(entries, orders);
  await database.transaction(async (tx) => {
    await writeEntries(tx, payoutId, entries);
    for (const { order, sourceId, netPence, expectedPence } of wrong) {
      const difference = {
        kind: 'payout',
        provider_ref: sourceId,
        store_id: order.store_id,
        order_id: order.id,
        provider_pence: netPence,
        ledger_pence: expectedPence,
        currency: order.currency,
      };
      if (await recordDifference(tx, difference))
        log.error(difference, 'a payout pays another amount for an order than its store was to receive');
    }
  });
}
