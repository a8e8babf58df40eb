import { measure } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { ProviderCall } from '../../provider/tables.ts';
import type { CheckoutContext } from '../context.ts';
import type { Placement } from '../rules/placement.ts';
import { HoldRefused, MustReplace, TooManyOrders } from '../tables/place-refusals.ts';
import type { PlacedOrder } from '../tables/placed-orders.ts';
import { type PaidAtOnce, placeOrder, placeOrderInstead, placePaidOrder } from '../transactions.ts';

/** A customer has more orders to replace only after the limit was lowered; those expire without help. */
const mostReplaced = 20;

/**
 * Places an order, and ends the customer's oldest unpaid orders if there are too many. Returns and throws as the transactions do; each
 * refusal by a limit is logged and counted.
 */
export async function placeWithinLimits(
  context: CheckoutContext,
  placement: Placement,
  calls: readonly ProviderCall[],
  taken: PaidAtOnce | null = null,
): Promise<PlacedOrder | null> {
  const { database } = context;
  if (taken || placement.main.price.totalPence === 0)
    return await noteRefusal(context, placement, () => placePaidOrder(database, placement, taken));
  const replaced: string[] = [];
  for (;;) {
    try {
      const placed = await noteRefusal(context, placement, () =>
        replaced.length === 0 ? placeOrder(database, placement, calls) : placeOrderInstead(database, placement, calls, replaced),
      );
      if (placed) for (const order_id of replaced) note(context, placement, 'replaced', { order_id });
      return placed;
    } catch (error) {
      if (!(error instanceof MustReplace)) throw error;
      if (replaced.length === mostReplaced) throw new Problem('RATE_LIMITED', { retryAfterSeconds: 1, cause: error });
      replaced.push(error.orderId);
    }
  }
}

async function noteRefusal<T>(context: CheckoutContext, placement: Placement, place: () => Promise<T>): Promise<T> {
  try {
    return await place();
  } catch (error) {
    const { cause } = error as Error;
    if (cause instanceof TooManyOrders) note(context, placement, cause.open.of);
    if (cause instanceof HoldRefused && cause.isKept) note(context, placement, 'share', { item: cause.ref });
    throw error;
  }
}

function note(
  context: CheckoutContext,
  placement: Placement,
  limit: LimitReached,
  more: Readonly<Record<string, string | null>> = {},
): void {
  const { storeId: store_id, customerId: customer_id, addressHash, main } = placement;
  const isFree = main.price.totalPence === 0;
  measure('corner.orders.limited', 1, { 'corner.limit': limit });
  context.log.info(
    { limit, is_free: isFree, store_id, customer_id, address_hash: addressHash, ...more },
    'an order reached a limit of orders that no one has paid for',
  );
}

type LimitReached = 'customer' | 'device' | 'address' | 'share' | 'replaced';
