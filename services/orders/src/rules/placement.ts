import { Problem } from '@corner/contracts';
import type { Basket, Part } from './basket.ts';
import { isOpen, type Opening } from './opening-hours.ts';
import {
  type MenuItem,
  type OrderPrice,
  type Price,
  type PricedLine,
  prepMinutesOf,
  priceLines,
  priceOrder,
  priceParts,
  type Reward,
  subtotalOf,
  voucherPence,
} from './pricing.ts';
import { type Promo, promoPence } from './promo.ts';
import { type Slot, slotOf } from './slots.ts';

/** A store as it is now, as far as placing an order goes. */
export interface Shop {
  readonly code: string;
  readonly time_zone: string;
  readonly connected_account_id: string | null;
  readonly fee_bps: number;
  readonly hours: readonly Opening[];
  readonly live: boolean;
}

/** Throws the refusals that are the store's: STORE_NOT_FOUND, STORE_CODE_MISMATCH, STORE_NOT_ACCEPTING_ORDERS, STORE_CLOSED. */
export function checkStore<S extends Shop>(
  store: S | null,
  storeCode: string,
  basket: Basket,
  at: Date,
): S & { connected_account_id: string } {
  if (!store) throw new Problem('STORE_NOT_FOUND');
  if (store.code.toUpperCase() !== storeCode.trim().toUpperCase()) throw new Problem('STORE_CODE_MISMATCH');
  if (!store.live || !store.connected_account_id) throw new Problem('STORE_NOT_ACCEPTING_ORDERS');
  const soon = [basket.main, ...basket.legs].some(({ lines, collectionMode }) => lines.length > 0 && collectionMode !== 'scheduled');
  // What is collected in a slot is taken at any hour: the slot says when somebody is there.
  if (soon && !isOpen(store.hours, store.time_zone, at)) throw new Problem('STORE_CLOSED');
  return { ...store, connected_account_id: store.connected_account_id };
}

/** A part with its lines priced and its slot found. */
export interface ReadyPart extends Omit<Part, 'lines'> {
  readonly lines: readonly PricedLine[];
  readonly prepMinutes: number;
  readonly slot: Slot | null;
}

/** Prices a part's lines and finds its slot. Throws ITEM_NOT_FOUND and the SLOT_ problems. */
export const readyPart = (part: Part, items: readonly MenuItem[], slots: readonly Slot[], at: Date): ReadyPart => ({
  ...part,
  lines: priceLines(part.lines, items),
  prepMinutes: prepMinutesOf(part.lines, items),
  slot: slotOf(part, slots, at),
});

export interface Discounts {
  readonly reward: Reward | null;
  /** The code that was given; null when none was. */
  readonly promo: { readonly found: Promo | null; readonly hasPaidBefore: boolean } | null;
}

/** Prices the order and each leg. The voucher comes off first, then the promo code; the tip is the main order's alone. */
export function priceBasket(
  [main, ...legs]: readonly [ReadyPart, ...ReadyPart[]],
  { reward, promo }: Discounts,
  { tipPence, feeBps, at }: { readonly tipPence: number; readonly feeBps: number; readonly at: Date },
): { readonly main: OrderPrice; readonly legs: readonly Price[] } {
  const subtotals = [main, ...legs].map(({ lines }) => subtotalOf(lines));
  const subtotalPence = subtotals.reduce((a, b) => a + b, 0);
  const voucher = reward ? voucherPence(reward, mergedLines([main, ...legs])) : 0;
  const cut = promo
    ? promoPence(promo.found, { at, subtotalPence, remainingPence: subtotalPence - voucher, hasPaidBefore: promo.hasPaidBefore })
    : 0;
  const whole = priceOrder(subtotalPence, { tipPence, feeBps, voucherPence: voucher, promoPence: cut });
  return { main: whole, legs: priceParts(subtotals, whole).slice(1) };
}

const mergedLines = (parts: readonly ReadyPart[]): PricedLine[] => parts.flatMap(({ lines }) => lines);
