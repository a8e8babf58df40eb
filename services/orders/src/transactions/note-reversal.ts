import type { Transaction } from '@corner/chassis';
import { enterMovements } from '../tables/ledger.ts';
import { lockFamily } from '../tables/order-family.ts';
import type { OrderRow } from '../tables/orders.ts';
import { markReversed, type RefundRow } from '../tables/refunds.ts';

/** Stores that the store's transfer was reversed by itself for a refund's missing part, once, also in the ledger. */
export async function noteReversal(
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
