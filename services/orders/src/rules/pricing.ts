import { Problem } from '@corner/contracts';
import { splitByWeight } from './split.ts';

/** A line as asked for. */
export interface Wanted {
  readonly menu_item_id: string;
  readonly quantity: number;
}

/** A menu item as it is now. */
export interface MenuItem {
  readonly id: string;
  readonly name: string;
  readonly price_pence: number;
  readonly prep_minutes: number;
  readonly available: boolean;
  readonly stock: number | null;
}

export interface PricedLine {
  readonly menu_item_id: string;
  readonly name: string;
  readonly quantity: number;
  readonly unit_price_pence: number;
}

/** What a voucher takes off, as loyalty answered it. */
export interface Reward {
  readonly value_kind: 'amount' | 'percent' | 'item';
  readonly value: number;
  readonly item_id: string | null;
}

/** Pence below which a card cannot be charged. */
const chargeMinimumPence = 30;

/** Pence an order can come to: the most the provider charges at once. */
const chargeMaximumPence = 99_999_999;

/** Lines of one item become one, in the order they first came. */
export function mergeLines(lines: readonly Wanted[]): Wanted[] {
  const merged = new Map<string, number>();
  for (const { menu_item_id, quantity } of lines) merged.set(menu_item_id, (merged.get(menu_item_id) ?? 0) + quantity);
  return [...merged].map(([menu_item_id, quantity]) => ({ menu_item_id, quantity }));
}

/** Prices lines from the menu alone. Throws ITEM_NOT_FOUND that names what is not on it. */
export function priceLines(lines: readonly Wanted[], menu: readonly MenuItem[]): PricedLine[] {
  return lines.map(({ menu_item_id, quantity }) => {
    const item = menu.find(({ id, available }) => id === menu_item_id && available);
    if (!item) throw new Problem('ITEM_NOT_FOUND', { message: `items: ${menu_item_id} is not on the menu.` });
    return { menu_item_id, name: item.name, quantity, unit_price_pence: item.price_pence };
  });
}

/** Sum of lines in pence. */
export const subtotalOf = (lines: readonly PricedLine[]): number =>
  lines.reduce((sum, { quantity, unit_price_pence }) => sum + quantity * unit_price_pence, 0);

/** Whole percent of pence, half a penny rounded up. */
export const percentOf = (pence: number, percent: number): number => Math.floor((pence * percent + 50) / 100);

/** Pence a voucher takes off a basket. Throws VOUCHER_NOT_APPLICABLE when that is nothing. */
export function voucherPence({ value_kind, value, item_id }: Reward, lines: readonly PricedLine[]): number {
  const subtotal = subtotalOf(lines);
  const free = lines.find(({ menu_item_id }) => menu_item_id === item_id)?.unit_price_pence ?? 0;
  const pence = Math.min(subtotal, value_kind === 'amount' ? value : value_kind === 'percent' ? percentOf(subtotal, value) : free);
  if (pence === 0) {
    const why = value_kind === 'item' ? `it is for ${item_id}, which takes nothing off this basket` : 'it would take nothing off';
    throw new Problem('VOUCHER_NOT_APPLICABLE', { message: `voucher_id: ${why}.` });
  }
  return pence;
}

/** What an order, or a leg of one, comes to. */
export interface Price {
  readonly subtotalPence: number;
  readonly voucherDiscountPence: number;
  readonly promoDiscountPence: number;
  readonly tipPence: number;
  readonly totalPence: number;
}

export interface OrderPrice extends Price {
  /** The platform's share of what goes to the store; the tip is all the store's. */
  readonly feePence: number;
}

export interface PriceTerms {
  readonly tipPence: number;
  readonly feeBps: number;
  readonly voucherPence: number;
  readonly promoPence: number;
}

/** The whole order: subtotal, less voucher, less promo, and the tip. Throws AMOUNT_BELOW_MINIMUM for what no card can carry. */
export function priceOrder(subtotalPence: number, { tipPence, feeBps, voucherPence, promoPence }: PriceTerms): OrderPrice {
  const goodsPence = subtotalPence - voucherPence - promoPence;
  const totalPence = goodsPence + tipPence;
  if (totalPence > 0 && totalPence < chargeMinimumPence) {
    throw new Problem('AMOUNT_BELOW_MINIMUM', {
      message: `The total is ${totalPence} pence; a card can carry ${chargeMinimumPence} or more.`,
    });
  }
  if (totalPence > chargeMaximumPence) {
    throw new Problem('VALIDATION_FAILED', { message: `items: come to ${totalPence} pence; a card can carry ${chargeMaximumPence}.` });
  }
  return {
    subtotalPence,
    voucherDiscountPence: voucherPence,
    promoDiscountPence: promoPence,
    tipPence,
    totalPence,
    feePence: Math.floor((goodsPence * feeBps + 5_000) / 10_000),
  };
}

/** Shares of an order's discounts over its parts by their subtotals. Shares sum to the whole, and none takes more than its part has. */
export function priceParts(subtotals: readonly number[], order: OrderPrice): Price[] {
  const vouchers = splitByWeight(order.voucherDiscountPence, subtotals);
  const rest = subtotals.map((subtotal, n) => subtotal - (vouchers[n] ?? 0));
  const promos = splitByWeight(order.promoDiscountPence, rest);
  return subtotals.map((subtotalPence, n) => ({
    subtotalPence,
    voucherDiscountPence: vouchers[n] ?? 0,
    promoDiscountPence: promos[n] ?? 0,
    tipPence: 0,
    totalPence: (rest[n] ?? 0) - (promos[n] ?? 0),
  }));
}

/** Minutes the slowest line takes. */
export const prepMinutesOf = (lines: readonly Wanted[], menu: readonly MenuItem[]): number =>
  Math.max(0, ...lines.map(({ menu_item_id }) => menu.find(({ id }) => id === menu_item_id)?.prep_minutes ?? 0));
