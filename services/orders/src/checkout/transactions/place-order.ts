import type { Queries } from '@corner/chassis';
import { Problem, type ProblemCode, problems } from '@corner/contracts';
import { UniqueIntegrityConstraintViolationError } from 'slonik';
import { collectionCodes } from '../../order/crypto.ts';
import { paidEvents, repeatAfterRace } from '../../payment/index.ts';
import type { ProviderCall } from '../../provider/tables.ts';
import { holdsOf, type Placement } from '../rules/placement.ts';
import { type FreePart, insertFreeOrder, insertPlacedOrder } from '../tables/place-order.ts';

/**
 * Places an order that is to be paid, in one statement, with the calls that the provider is to get next. Returns its number, or null when
 * the customer's key was used before. Throws SLOT_JUST_FILLED, SLOT_CLOSED, OUT_OF_STOCK and PROMO_LIMIT_REACHED.
 */
export async function placeOrder(
  queries: Pick<Queries, 'one'>,
  placement: Placement,
  calls: readonly ProviderCall[],
): Promise<string | null> {
  const placed = await unlessKeyIsUsed(() => insertPlacedOrder(queries, placement, holdsOf(placement), calls));
  return placed?.order_number ?? null;
}

/**
 * Places an order that costs nothing as paid, in one statement. Returns what it decided of the order and its legs, main order first, or
 * null when the customer's key was used before. Publishes and throws as acceptPayment and {@link placeOrder} do.
 */
export async function placeFreeOrder(
  queries: Pick<Queries, 'many'>,
  placement: Placement,
): Promise<readonly [FreePart, ...FreePart[]] | null> {
  const { storeId: store_id, customerId: customer_id, currency, voucherId: voucher_id, promo, main, legs } = placement;
  const order = { id: main.id, store_id, customer_id, currency, total_pence: 0, tip_pence: 0, voucher_id, promo_code: promo?.code ?? null };
  const events = paidEvents(order, placement.placedAt.toISOString(), 'placed');
  const insert = () => {
    const codes = collectionCodes(1 + legs.length);
    return insertFreeOrder(queries, { placement, holds: holdsOf(placement), codes, events });
  };
  const parts = await unlessKeyIsUsed(() => repeatAfterRace(insert));
  if (!parts) return null;
  const [first, ...rest] = parts;
  if (!first || rest.length !== legs.length) throw new Error('a free order was placed without all its legs');
  return [first, ...rest];
}

async function unlessKeyIsUsed<T>(place: () => Promise<T>): Promise<T | null> {
  try {
    return await place();
  } catch (error) {
    if (error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'one_order_for_a_key') return null;
    throw problemOf(error);
  }
}

/** Returns the problem that the database function `refuse` raised, and any other error unchanged. */
function problemOf(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, message } = cause as { code?: string; message: string };
    if (code === 'CR001' && message in problems) return new Problem(message as ProblemCode);
  }
  return error;
}
