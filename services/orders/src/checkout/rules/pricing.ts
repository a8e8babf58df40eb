import { isWholeSteps, Problem, rulesOfCurrency, splitDiscounts } from '@corner/contracts';
import { inWords, itemPrice, type PricedLine, subtotalOf } from './lines.ts';

export interface Reward {
  readonly value_kind: 'amount' | 'percent' | 'item';
  readonly value: number;
  readonly item_id: string | null;
}

/** Returns `part` in `whole` of an amount, rounded to what can be charged in its currency; half a penny, or half a step, is rounded up. */
export function shareOf(pence: number, part: number, whole: number, currency: string): number {
  const { step } = rulesOfCurrency(currency);
  return Math.floor((pence * part + (whole * step) / 2) / (whole * step)) * step;
}

export const percentOf = (pence: number, percent: number, currency: string): number => shareOf(pence, percent, 100, currency);

/**
 * Returns the pence a voucher takes off a basket; one for an item takes off no choice. Throws VOUCHER_NOT_APPLICABLE when that is nothing.
 */
export function voucherPence({ value_kind, value, item_id }: Reward, lines: readonly PricedLine[], currency: string): number {
  const subtotal = subtotalOf(lines);
  const free = lines.find(({ menu_item_id }) => menu_item_id === item_id);
  const off = {
    amount: () => shareOf(value, 1, 1, currency),
    percent: () => percentOf(subtotal, value, currency),
    item: () => (free ? itemPrice(free) : 0),
  };
  const pence = Math.min(subtotal, off[value_kind]());
  if (pence === 0) {
    const why = value_kind === 'item' ? `it is for ${item_id}, which takes nothing off this basket` : 'it would take nothing off';
    throw new Problem('VOUCHER_NOT_APPLICABLE', { message: `voucher_id: ${why}.` });
  }
  return pence;
}

/** The price of an order, or of a leg. The platform's application fee is not taken from the tip. */
export interface Price {
  readonly subtotalPence: number;
  readonly voucherDiscountPence: number;
  readonly promoDiscountPence: number;
  readonly tipPence: number;
  readonly totalPence: number;
}

export interface OrderPrice extends Price {
  readonly feePence: number;
}

export interface PriceTerms {
  readonly currency: string;
  readonly tipPence: number;
  readonly feeBps: number;
  readonly voucherPence: number;
  readonly promoPence: number;
  /** Whether no provider is involved, so that there is no minimum amount. */
  readonly isPaidAtCounter?: boolean;
}

/** The tip limit is this many minor units, or the subtotal if that is more: in some currencies the former is only a coin. */
const leastTipLimit = 50_000;

/**
 * Prices the whole order: the subtotal less voucher and promo code, plus the tip. Throws AMOUNT_BELOW_MINIMUM or VALIDATION_FAILED for a
 * total or a tip that cannot be charged to a card in the currency.
 */
export function priceOrder(
  subtotalPence: number,
  { currency, tipPence, feeBps, voucherPence, promoPence, isPaidAtCounter = false }: PriceTerms,
): OrderPrice {
  const { step, minimum, maximum } = rulesOfCurrency(currency);
  if (!isWholeSteps(tipPence, currency)) {
    throw new Problem('VALIDATION_FAILED', { message: `tip_pence: must be a multiple of ${step}, because the currency is ${currency}.` });
  }
  const mostTip = Math.max(leastTipLimit, subtotalPence);
  if (tipPence > mostTip)
    throw new Problem('VALIDATION_FAILED', { message: `tip_pence: at most ${inWords(mostTip, currency)} for this basket.` });
  const goodsPence = subtotalPence - voucherPence - promoPence;
  const totalPence = goodsPence + tipPence;
  if (!isPaidAtCounter && totalPence > 0 && totalPence < minimum) {
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

export function priceParts(subtotals: readonly number[], order: OrderPrice, currency: string): Price[] {
  const discounts = splitDiscounts(subtotals, { voucherPence: order.voucherDiscountPence, promoPence: order.promoDiscountPence }, currency);
  return subtotals.map((subtotalPence, n) => {
    const { voucherPence = 0, promoPence = 0 } = discounts[n] ?? {};
    return {
      subtotalPence,
      voucherDiscountPence: voucherPence,
      promoDiscountPence: promoPence,
      tipPence: 0,
      totalPence: subtotalPence - voucherPence - promoPence,
    };
  });
}

export interface Promo {
  readonly id: string;
  readonly code: string;
  readonly label: string | null;
  readonly kind: 'percent' | 'amount';
  readonly value: number;
  readonly min_subtotal_pence: number;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly first_order_only: boolean;
}

export interface PromoBasis {
  readonly now: Date;
  readonly currency: string;
  readonly subtotalPence: number;
  readonly remainingPence: number;
  readonly isFirstOrder: boolean;
}

/**
 * Returns the pence a promo code takes off. Throws PROMO_INVALID, PROMO_EXPIRED and PROMO_NOT_APPLICABLE, whose message has the reason.
 * Its limits of use are checked when the order is written.
 */
export function promoPence(promo: Promo | null, { now, currency, subtotalPence, remainingPence, isFirstOrder }: PromoBasis): number {
  if (!promo) throw new Problem('PROMO_INVALID');
  if (promo.ends_at && Date.parse(promo.ends_at) <= now.getTime()) throw new Problem('PROMO_EXPIRED');
  if (promo.starts_at && Date.parse(promo.starts_at) > now.getTime()) {
    throw new Problem('PROMO_EXPIRED', { message: 'promo_code: it is not valid yet.' });
  }
  if (subtotalPence < promo.min_subtotal_pence)
    throw notApplicable(`it needs a basket of ${inWords(promo.min_subtotal_pence, currency)} or more`);
  if (promo.first_order_only && !isFirstOrder) throw notApplicable('it is for a first order only');
  const off = promo.kind === 'percent' ? percentOf(remainingPence, promo.value, currency) : shareOf(promo.value, 1, 1, currency);
  const pence = Math.min(off, remainingPence);
  if (pence === 0) throw notApplicable('there is nothing left for it to take off');
  return pence;
}

const notApplicable = (why: string) => new Problem('PROMO_NOT_APPLICABLE', { message: `promo_code: ${why}.` });

export interface PricedPart {
  readonly lines: readonly PricedLine[];
}

export interface Discounts {
  readonly reward: Reward | null;
  /** Null when the request has no promo code; `found` is null when the store has no such code. */
  readonly promo: { readonly found: Promo | null; readonly isFirstOrder: boolean } | null;
}

export interface BasketTerms {
  readonly currency: string;
  readonly tipPence: number;
  readonly feeBps: number;
  readonly now: Date;
  readonly isPaidAtCounter?: boolean;
}

/**
 * Prices an order and each of its legs. The voucher is deducted first, then the promo code. The tip belongs to the main order. Throws
 * VOUCHER_NOT_APPLICABLE, the PROMO_ problems, and those of {@link priceOrder}.
 */
export function priceBasket(
  parts: readonly [PricedPart, ...PricedPart[]],
  { reward, promo }: Discounts,
  { currency, tipPence, feeBps, now, isPaidAtCounter = false }: BasketTerms,
): { readonly main: OrderPrice; readonly legs: readonly Price[] } {
  const subtotals = parts.map(({ lines }) => subtotalOf(lines));
  const subtotalPence = subtotals.reduce((a, b) => a + b, 0);
  const ofVoucher = reward
    ? voucherPence(
        reward,
        parts.flatMap(({ lines }) => lines),
        currency,
      )
    : 0;
  const ofPromo = promo
    ? promoPence(promo.found, {
        now,
        currency,
        subtotalPence,
        remainingPence: subtotalPence - ofVoucher,
        isFirstOrder: promo.isFirstOrder,
      })
    : 0;
  const main = priceOrder(subtotalPence, { currency, tipPence, feeBps, voucherPence: ofVoucher, promoPence: ofPromo, isPaidAtCounter });
  return { main, legs: priceParts(subtotals, main, currency).slice(1) };
}
