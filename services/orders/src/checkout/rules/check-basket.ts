import { normaliseTyped, type OrderChannel, Problem } from '@corner/contracts';
import {
  checkReadyInSlot,
  type ItemSwitches,
  isMarkedSoldOut,
  type PacedStore,
  refusalAtOnce,
  refusalOfStore,
  type Slot,
  slotOf,
  unitsLeft,
} from '../../shop/index.ts';
import type { Basket, Part } from './basket.ts';
import { type MenuItem, type PricedLine, prepMinutesOf, priceLines, refsOf, unitsOf } from './lines.ts';
import { type OfflineOutcome, outcomeOfOffline, priceAsShown, type SoldOffline } from './offline.ts';
import type { PricedPart, Promo } from './pricing.ts';

export interface Store extends PacedStore {
  readonly id: string;
  readonly code: string;
  readonly currency: string;
  readonly fee_bps: number;
  readonly on_behalf_of: boolean;
  readonly switches: number;
}

/**
 * The stored store, items, slots and promo code of a basket. A proven customer has paid an order at any store. The device may have been
 * used by another customer for a first-order code of the store.
 */
export interface Stocked {
  readonly store: Store | null;
  readonly items: readonly (MenuItem & ItemSwitches)[];
  readonly slots: readonly Slot[];
  readonly promo: Promo | null;
  readonly has_paid_before: boolean;
  readonly is_proven: boolean;
  readonly device_used_first_order_code: boolean;
}

export interface CheckedPart extends Omit<Part, 'lines'> {
  readonly lines: readonly PricedLine[];
  readonly prepMinutes: number;
  readonly slot: Slot | null;
}

export interface CheckedBasket {
  readonly store: Store & { readonly connected_account_id: string };
  readonly main: CheckedPart;
  readonly legs: readonly CheckedPart[];
  readonly offline: OfflineOutcome | null;
}

/**
 * Checks a basket against its store, menu and slots. Throws STORE_NOT_FOUND, STORE_CODE_MISMATCH, STORE_NOT_ACCEPTING_ORDERS,
 * STORE_CLOSED, ITEM_NOT_FOUND, OUT_OF_STOCK and the SLOT_ problems.
 */
export function checkBasket(
  basket: Basket,
  { storeCode, channel, eatIn, offline }: PlacedAt,
  { store, items, slots }: Stocked,
  now: Date,
): CheckedBasket {
  const checkedStore = checkStore(store, { storeCode, channel }, basket, now);
  const checkPart = (part: Part, isEatenIn: boolean): CheckedPart => {
    const prepMinutes = prepMinutesOf(part.lines, items);
    const slot = slotOf(part, slots, checkedStore, now);
    if (slot) checkReadyInSlot(slot, prepMinutes, now, checkedStore.time_zone);
    const { currency } = checkedStore;
    const lines = offline
      ? priceAsShown(part.lines, items, currency, { eatIn: isEatenIn, shown: offline.shown })
      : priceLines(part.lines, items, currency, isEatenIn);
    return { ...part, lines, prepMinutes, slot };
  };
  const [main, legs] = [checkPart(basket.main, eatIn), basket.legs.map((leg) => checkPart(leg, false))];
  const { currency } = checkedStore;
  if (offline) {
    const goods = { lines: main.lines, items, units: unitsOf(main.lines), currency };
    return { store: checkedStore, main, legs, offline: outcomeOfOffline(offline, goods, now) };
  }
  for (const item of items) checkLeft(item, [main, ...legs], now);
  return { store: checkedStore, main, legs, offline: null };
}

/**
 * Where a basket is placed. `storeCode` comes from the customer's app; null for a till, whose token names the store. `offline` is set only
 * for a sale that a till made without a connection.
 */
export interface PlacedAt {
  readonly storeCode: string | null;
  readonly channel: OrderChannel;
  readonly eatIn: boolean;
  readonly offline?: SoldOffline | null;
}

/** Throws OUT_OF_STOCK, naming the item or the choice, when staff marked it as sold out or fewer are left than all parts together want. */
function checkLeft(item: MenuItem & ItemSwitches, parts: readonly PricedPart[], now: Date): void {
  const lines = parts.flatMap((part) => part.lines).filter((line) => refsOf(line).includes(item.id));
  const left = isMarkedSoldOut(item, now) ? 0 : unitsLeft(item);
  if (left === null || left >= lines.reduce((sum, { quantity }) => sum + quantity, 0)) return;
  const message = left === 0 ? `${item.name} is sold out.` : `Only ${left} of ${item.name} ${left === 1 ? 'is' : 'are'} left.`;
  throw new Problem('OUT_OF_STOCK', { message });
}

function checkStore(
  store: Store | null,
  { storeCode, channel }: Omit<PlacedAt, 'eatIn'>,
  basket: Basket,
  now: Date,
): CheckedBasket['store'] {
  if (!store) throw new Problem('STORE_NOT_FOUND');
  if (storeCode !== null && normaliseTyped(store.code) !== normaliseTyped(storeCode)) throw new Problem('STORE_CODE_MISMATCH');
  // Opening hours do not limit scheduled collection: a slot exists only when the store is staffed.
  const unscheduled = [basket.main, ...basket.legs].some(({ lines, collectionMode }) => lines.length > 0 && collectionMode !== 'scheduled');
  // What is paid at the counter needs no account, and staff who sell have opened the store.
  const needed = channel === 'phone' ? store : { ...store, connected_account_id: 'none', account_restricted: false };
  const isOpened = channel === 'counter' && store.live;
  const refusal = isOpened ? null : (refusalOfStore(needed, now) ?? (unscheduled ? refusalAtOnce(store, now) : null));
  if (refusal) throw refusal;
  // A phone's order at a store without an account was refused above.
  return { ...store, connected_account_id: store.connected_account_id ?? '' };
}
