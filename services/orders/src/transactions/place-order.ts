import type { Queries, Transaction } from '@corner/chassis';
import { Problem, type ProblemCode, problems } from '@corner/contracts';
import { UniqueIntegrityConstraintViolationError } from 'slonik';
import { holdsOf, type Placement } from '../rules/placement.ts';
import type { OrderRow } from '../tables/orders.ts';
import { insertPlacedOrder } from '../tables/place-order.ts';
import type { ProviderCall } from '../tables/provider-calls.ts';
import { acceptPayment } from './accept-payment.ts';

/**
 * Places an order that is to be paid, in one statement, with the calls that the provider is to get next. Returns its number, or null when the customer's key was used before. Throws
 * SLOT_JUST_FILLED, SLOT_CLOSED, OUT_OF_STOCK and PROMO_LIMIT_REACHED.
 */
export async function placeOrder(
  queries: Pick<Queries, 'one'>,
  placement: Placement,
  calls: readonly ProviderCall[],
): Promise<string | null> {
  try {
    return (await insertPlacedOrder(queries, placement, holdsOf(placement), calls)).order_number;
  } catch (error) {
    if (error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'one_order_for_a_key') return null;
    throw problemOf(error);
  }
}

/** Places an order that costs nothing and marks it paid. Returns it, or null when the customer's key was used before. */
export async function placeFreeOrder(
  tx: Transaction,
  placement: Placement,
): Promise<{ readonly order: OrderRow; readonly legs: readonly OrderRow[] } | null> {
  if ((await placeOrder(tx, placement, [])) === null) return null;
  const { storeId, customerId, main, legs } = placement;
  const [order, ...paidLegs] = await acceptPayment(tx, {
    storeId,
    customerId,
    orderId: main.id,
    legIds: legs.map(({ id }) => id),
    intentId: null,
    amountPence: 0,
  });
  return { order, legs: paidLegs };
}

/** Returns the problem that the database function `refuse` raised, and any other error unchanged. */
function problemOf(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, message } = cause as { code?: string; message: string };
    if (code === 'CR001' && message in problems) return new Problem(message as ProblemCode);
  }
  return error;
}
