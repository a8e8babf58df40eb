import type { Database, Queries, Transaction } from '@corner/chassis';
import { Problem, type ProblemCode, type ProviderMode } from '@corner/contracts';
import { isUnpaid } from '../order/rules/status.ts';
import { isInCash, type TakenTenders } from '../order/rules/tenders.ts';
import {
  type HoldKind,
  holdKinds,
  lockReplaced,
  markHeldAgain,
  markHoldsReleased,
  releaseHolds,
  retakeHolds,
} from '../order/tables/holds.ts';
import { lockOpenDrawer } from '../order/tables/ledger.ts';
import { appendLog } from '../order/tables/log.ts';
import { familyIds, lockFamily } from '../order/tables/orders.ts';
import { acceptPayment, endUnpaidOrder, findPayableOrder, repeatAfterRace } from '../payment/index.ts';
import type { ProviderCall } from '../provider/tables.ts';
import { secondsUntilPlace } from './rules/limits.ts';
import { holdsOf, type Placement } from './rules/placement.ts';
import { insertPlacedOrder } from './tables/place-order.ts';
import { HoldRefused, KeyIsUsed, TooManyOrders } from './tables/place-refusals.ts';
import type { PlacedOrder } from './tables/placed-orders.ts';

/**
 * Places a payable order in one statement, with its next provider calls. Null when the customer's key was used before. Throws
 * SLOT_JUST_FILLED, SLOT_CLOSED, NO_CAPACITY_TODAY, READY_LATER, OUT_OF_STOCK, PROMO_LIMIT_REACHED and RATE_LIMITED, StoreSwitched when the basket must be checked again,
 * and MustReplace when another order must end first: see {@link placeOrderInstead}.
 */
export const placeOrder = (
  queries: Pick<Queries, 'one'>,
  placement: Placement,
  calls: readonly ProviderCall[],
): Promise<PlacedOrder | null> => unlessKeyIsUsed(placement, () => insertPlacedOrder(queries, placement, holdsOf(placement), calls));

/**
 * Places an order as {@link placeOrder} does, and expires unpaid orders of the same customer that no one tried to pay, in the same
 * transaction. A later job cancels their intents; a payment until then is late. An order that was paid or tried meanwhile stays. Locks
 * everything that the old and new orders hold first, in the one order.
 */
export const placeOrderInstead = (
  database: Database,
  placement: Placement,
  calls: readonly ProviderCall[],
  replaced: readonly string[],
): Promise<PlacedOrder | null> =>
  unlessKeyIsUsed(placement, () =>
    database.transaction(async (tx) => {
      const { storeId } = placement;
      const holds = holdsOf(placement);
      const locked = [...holds, ...quartersOf(placement)];
      for (const orderId of await lockReplaced(tx, { storeId, orderIds: replaced, holds: locked })) {
        await endUnpaidOrder(tx, {
          storeId,
          orderId,
          as: 'expired',
          title: 'The order ended because the customer placed too many others unpaid',
        });
      }
      return await insertPlacedOrder(tx, placement, holds, calls);
    }),
  );

const quartersOf = ({ paced }: Placement) =>
  (paced?.wanted ?? []).flatMap(({ quarters: [ref] }) => (ref ? [{ kind: 'pace' as const, ref }] : []));

export interface PaidAtOnce extends TakenTenders {
  readonly handOver: HandOver | null;
}

export type HandOver = (
  tx: Transaction,
  order: { readonly storeId: string; readonly orderId: string },
) => Promise<Pick<PlacedOrder, 'business_status'>>;

/**
 * Places an order that costs nothing, or that is paid at the counter, and accepts it as paid in the same transaction. `taken` is null for
 * one that costs nothing on a phone. Returns and throws as {@link placeOrder} does.
 */
export const placePaidOrder = (database: Database, placement: Placement, taken: PaidAtOnce | null): Promise<PlacedOrder | null> =>
  unlessKeyIsUsed(placement, () => repeatAfterRace(() => database.transaction((tx) => placeAndAccept(tx, placement, taken))));

async function placeAndAccept(tx: Transaction, placement: Placement, taken: PaidAtOnce | null): Promise<PlacedOrder> {
  const placed = await insertPlacedOrder(tx, placement, holdsOf(placement), []);
  const ids = { storeId: placed.store_id, orderId: placed.id };
  const order = await findPayableOrder(tx, ids);
  if (!order) throw new Error('an order was placed, but cannot be found');
  const charge = { ...ids, intentId: `free:${placed.id}`, amountPence: placed.total_pence, eventIds: [] };
  // Money taken by a partner is not in the store's drawer.
  const usesDrawer = taken !== null && order.channel === 'counter' && isInCash(taken.tenders);
  const drawerId = usesDrawer ? await lockOpenDrawer(tx, ids.storeId) : null;
  const accepted = await acceptPayment(tx, order, { ...charge, ...(taken && { taken: { ...taken, drawerId } }) }, placement.placedAt);
  const { payment_status, business_status, collection_code, legs } = accepted;
  const handedOver = await taken?.handOver?.(tx, ids);
  return { ...placed, payment_status, business_status: handedOver?.business_status ?? business_status, collection_code, legs };
}

async function unlessKeyIsUsed<T>(placement: Placement, place: () => Promise<T>): Promise<T | null> {
  try {
    return await place();
  } catch (error) {
    if (error instanceof KeyIsUsed) return null;
    if (error instanceof TooManyOrders) throw tooManyOrders(error, placement);
    throw error instanceof HoldRefused ? refusalOf(error, placement) : error;
  }
}

function tooManyOrders(refused: TooManyOrders, { main, placedAt }: Placement): Problem {
  const { of } = refused.open;
  const kind = main.price.totalPence === 0 ? 'orders that cost nothing and are not handed over yet' : 'unpaid orders';
  return new Problem('RATE_LIMITED', {
    message: `This ${of} has too many ${kind} at the store.`,
    retryAfterSeconds: secondsUntilPlace(refused.open, placedAt),
    cause: refused,
  });
}

function refusalOf(refused: HoldRefused, { main, legs }: Placement): Problem {
  const item = [main, ...legs]
    .flatMap(({ lines }) => lines.flatMap((line) => [{ ...line, id: line.menu_item_id }, ...choicesIn(line)]))
    .find(({ id }) => id === refused.ref);
  if (refused.code === 'READY_LATER') return new Problem(refused.code, { cause: refused, readyFrom: refused.ref ?? '' });
  if (refused.code === 'NO_CAPACITY_TODAY') return new Problem(refused.code, { cause: refused, message: kitchenIsFull });
  return new Problem(refused.code, { cause: refused, ...(item ? { message: outOfStock(item.name) } : {}) });
}

const choicesIn = ({ choices }: Placement['main']['lines'][number]) => (choices ?? []).map(({ choice_id: id, name }) => ({ id, name }));

const kitchenIsFull = 'The kitchen has no room for it today: order less, or for a later collection slot.';

const outOfStock = (name: string): string => `${name} is sold out, or fewer are left than were ordered.`;

export interface UnpreparedOrder {
  readonly storeId: string;
  readonly orderId: string;
  readonly customerId: string;
  readonly mode: ProviderMode;
  readonly providerId: string | null;
}

/**
 * Releases the holds of an unpaid order without an intent. Returns false, having changed nothing, for any other order: another request may
 * have prepared its payment. `providerId` is null when the provider has no customer yet.
 */
export async function releaseUnprepared(tx: Transaction, { storeId, orderId, ...customer }: UnpreparedOrder): Promise<boolean> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family || !isUnpaid(family.main) || family.main.payment_intent_id || family.main.holds_released) return false;
  await markHoldsReleased(tx, { orderId, ...customer });
  await releaseHolds(tx, { storeId, orderIds: familyIds(family), kinds: holdKinds });
  await appendLog(tx, { storeId, orderId, kind: 'released', title: 'The payment could not be prepared, so the order holds nothing' });
  return true;
}

const problemOf: Record<HoldKind, ProblemCode> = {
  slot: 'SLOT_JUST_FILLED',
  stock: 'OUT_OF_STOCK',
  promo: 'PROMO_LIMIT_REACHED',
  pace: 'NO_CAPACITY_TODAY',
};

export interface HoldingOrder {
  readonly storeId: string;
  readonly orderId: string;
  readonly minutes: number;
}

/**
 * Takes the released holds of an unpaid order again for `minutes`, as its new time to pay. An order that has its holds, or has ended,
 * stays as it is. Throws SLOT_JUST_FILLED, OUT_OF_STOCK and PROMO_LIMIT_REACHED.
 */
export async function holdAgain(tx: Transaction, { storeId, orderId, minutes }: HoldingOrder): Promise<void> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family || !isUnpaid(family.main) || !family.main.holds_released) return;
  const { main } = family;
  const [missing] = await retakeHolds(tx, { storeId, orderIds: familyIds(family), as: 'held', customerId: main.customer_id });
  if (missing) throw new Problem(problemOf[missing.kind], missing.item === null ? {} : { message: outOfStock(missing.item) });
  await markHeldAgain(tx, orderId, new Date(tx.now.getTime() + minutes * 60_000));
  await appendLog(tx, { storeId, orderId, kind: 'held', title: 'The order was sent again and holds everything again' });
}
