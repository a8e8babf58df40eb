import { formatMoney, isWholeSteps, Problem, rulesOfCurrency } from '@corner/contracts';
import { splitByWeight } from '../../order/rules/split.ts';

/** A line of the request. */
export interface RequestedLine {
  readonly menu_item_id: string;
  readonly quantity: number;
}

/** A menu item. A null stock is not counted. */
export interface MenuItem {
  readonly id: string;
  readonly name: string;
  readonly price_pence: number;
  /** The VAT in the price, in hundredths of a percent; null when the menu names none. */
  readonly vat_rate_bps: number | null;
  readonly prep_minutes: number;
  readonly available: boolean;
  readonly stock: number | null;
}

export interface PricedLine {
  readonly menu_item_id: string;
  readonly name: string;
  readonly quantity: number;
  readonly unit_price_pence: number;
  readonly vat_rate_bps: number | null;
}

/** What a voucher takes off, as loyalty returns it. */
export interface Reward {
  readonly value_kind: 'amount' | 'percent' | 'item';
  readonly value: number;
  readonly item_id: string | null;
}

/** Merges lines of the same item, in the order of their first occurrence. */
export function mergeLines(lines: readonly RequestedLine[]): RequestedLine[] {
  const merged = new Map<string, number>();
  for (const { menu_item_id, quantity } of lines) merged.set(menu_item_id, (merged.get(menu_item_id) ?? 0) + quantity);
  return [...merged].map(([menu_item_id, quantity]) => ({ menu_item_id, quantity }));
}

/**
 * Prices lines from the menu. Throws ITEM_NOT_FOUND, naming the first item that is not on it, or whose price cannot be charged in the
 * store's currency.
 */
export function priceLines(lines: readonly RequestedLine[], menu: readonly MenuItem[], currency: string): PricedLine[] {
  return lines.map(({ menu_item_id, quantity }) => {
    const item = menu.find(({ id, available }) => id === menu_item_id && available);
    if (!item) throw new Problem('ITEM_NOT_FOUND', { message: `items: ${menu_item_id} is not on the menu.` });
    if (!isWholeSteps(item.price_pence, currency)) {
      const price = inWords(item.price_pence, currency);
      throw new Problem('ITEM_NOT_FOUND', {
        message: `items: ${menu_item_id} cannot be ordered, because no card can be charged ${price}.`,
      });
    }
    return { menu_item_id, name: item.name, quantity, unit_price_pence: item.price_pence, vat_rate_bps: item.vat_rate_bps };
  });
}

/** Returns the sum of lines in pence. */
export const subtotalOf = (lines: readonly PricedLine[]): number =>
  lines.reduce((sum, { quantity, unit_price_pence }) => sum + quantity * unit_price_pence, 0);

/** Returns `part` in `whole` of an amount, rounded to what can be charged in its currency; half a penny, or half a step, is rounded up. */
export function shareOf(pence: number, part: number, whole: number, currency: string): number {
  const { step } = rulesOfCurrency(currency);
  return Math.floor((pence * part + (whole * step) / 2) / (whole * step)) * step;
}

/** Returns a percentage of an amount, rounded like {@link shareOf}. */
export const percentOf = (pence: number, percent: number, currency: string): number => shareOf(pence, percent, 100, currency);

/** An amount as the English sentences of problems write it. */
export const inWords = (pence: number, currency: string): string => formatMoney(pence, currency, 'en-GB');

/** Returns the pence a voucher takes off a basket. Throws VOUCHER_NOT_APPLICABLE when that is nothing. */
export function voucherPence({ value_kind, value, item_id }: Reward, lines: readonly PricedLine[], currency: string): number {
  const subtotal = subtotalOf(lines);
  const free = lines.find(({ menu_item_id }) => menu_item_id === item_id)?.unit_price_pence ?? 0;
  const off = { amount: () => shareOf(value, 1, 1, currency), percent: () => percentOf(subtotal, value, currency), item: () => free };
  const pence = Math.min(subtotal, off[value_kind]());
  if (pence === 0) {
    const why = value_kind === 'item' ? `it is for ${item_id}, which takes nothing off this basket` : 'it would take nothing off';
    throw new Problem('VOUCHER_NOT_APPLICABLE', { message: `voucher_id: ${why}.` });
  }
  return pence;
}

/** The price of an order, or of a leg. */
export interface Price {
  readonly subtotalPence: number;
  readonly voucherDiscountPence: number;
  readonly promoDiscountPence: number;
  readonly tipPence: number;
  readonly totalPence: number;
}

export interface OrderPrice extends Price {
  /** The platform's application fee. It is not taken from the tip. */
  readonly feePence: number;
}

export interface PriceTerms {
  readonly currency: string;
  readonly tipPence: number;
  readonly feeBps: number;
  readonly voucherPence: number;
  readonly promoPence: number;
}

/**
 * Prices the whole order: the subtotal less voucher and promo code, plus the tip. Throws AMOUNT_BELOW_MINIMUM or VALIDATION_FAILED for a total
 * or a tip that cannot be charged to a card in the currency.
 */
export function priceOrder(subtotalPence: number, { currency, tipPence, feeBps, voucherPence, promoPence }: PriceTerms): OrderPrice {
  const { step, minimum, maximum } = rulesOfCurrency(currency);
  if (!isWholeSteps(tipPence, currency)) {
    throw new Problem('VALIDATION_FAILED', { message: `tip_pence: must be a multiple of ${step}, because the currency is ${currency}.` });
  }
  const goodsPence = subtotalPence - voucherPence - promoPence;
  const totalPence = goodsPence + tipPence;
  if (totalPence > 0 && totalPence < minimum) {
    throw new Problem('AMOUNT_BELOW_MINIMUM', {
      message: `The total is ${inWords(totalPence, currency)}; a card can be charged at least ${inWords(minimum, currency)}.`,
    });
  }
  if (totalPence > maximum) {
    throw new Problem('VALIDATION_FAILED', {
      message: `items: the total is ${inWords(totalPence, currency)}; a card can be charged at most ${inWords(maximum, currency)}.`,
    });
  }
  return {
    subtotalPence,
    voucherDiscountPence: voucherPence,
    promoDiscountPence: promoPence,
    tipPence,
    totalPence,
    feePence: shareOf(goodsPence, feeBps, 10_000, currency),
  };
}

/**
 * Splits an order's discounts over its parts by their subtotals. The shares sum to the whole, none exceeds its part, and each can be
 * charged or refunded by itself.
 */
export function priceParts(subtotals: readonly number[], order: OrderPrice, currency: string): Price[] {
  const { step } = rulesOfCurrency(currency);
  const split = (pence: number, weights: readonly number[]) =>
    splitByWeight(
      pence / step,
      weights.map((weight) => weight / step),
    ).map((share) => share * step);
  const vouchers = split(order.voucherDiscountPence, subtotals);
  const rest = subtotals.map((subtotal, n) => subtotal - (vouchers[n] ?? 0));
  const promos = split(order.promoDiscountPence, rest);
  return subtotals.map((subtotalPence, n) => ({
    subtotalPence,
    voucherDiscountPence: vouchers[n] ?? 0,
    promoDiscountPence: promos[n] ?? 0,
    tipPence: 0,
    totalPence: (rest[n] ?? 0) - (promos[n] ?? 0),
  }));
}

/** Returns the preparation minutes of the slowest line. */
export const prepMinutesOf = (lines: readonly RequestedLine[], menu: readonly MenuItem[]): number =>
  Math.max(0, ...lines.map(({ menu_item_id }) => menu.find(({ id }) => id === menu_item_id)?.prep_minutes ?? 0));
