import { Problem, rulesOfCurrency, splitDiscounts } from '@corner/contracts';
import { lineName } from '../../order/rules/order-views.ts';
import { exceeds, hasEndedInVain, type RefundedLine, type RequestedLine, type StoredRefund } from './amounts.ts';

interface SoldLine {
  readonly position: number;
  readonly name: string;
  readonly choices: readonly { readonly name: string }[];
  readonly quantity: number;
  readonly unit_price_pence: number;
}

/** An order or a leg. An order's discounts include those of its legs; its lines are its own. */
interface Part {
  readonly id: string;
  readonly currency: string;
  readonly voucher_discount_pence: number;
  readonly promo_discount_pence: number;
  readonly lines: readonly SoldLine[];
}

interface Family {
  readonly main: Part & { readonly total_pence: number };
  readonly legs: readonly Part[];
  readonly named: Part;
}

/**
 * Prices units of lines as they were paid: a line bears its share of the discounts, and none of the tip. All units of a line sum to its
 * paid price, in whatever order they are refunded. Free units have no amount. Throws VALIDATION_FAILED for a line that the order does not
 * have, REFUND_LINES_EXCEED_REMAINING, and REFUND_AMOUNT_EXCEEDS_REMAINING for an order that cost nothing.
 */
export function priceRefundedLines(
  family: Family,
  refunds: readonly StoredRefund[],
  requested: readonly RequestedLine[],
): readonly RefundedLine[] {
  const { named } = family;
  const paid = paidForLines(family);
  const { step } = rulesOfCurrency(named.currency);
  const priced = requested.map(({ position, quantity, restock }) => {
    const n = named.lines.findIndex((line) => line.position === position);
    const line = named.lines[n];
    if (!line) throw new Problem('VALIDATION_FAILED', { message: `lines: the order has no line ${position}.` });
    const before = refundedOf(refunds, named.id, position);
    const left = Math.max(0, line.quantity - before.quantity);
    if (quantity > left) {
      throw new Problem('REFUND_LINES_EXCEED_REMAINING', {
        message: `lines: ${left} of ${line.quantity} × ${lineName(line)} can be refunded.`,
      });
    }
    const shares = Math.floor(((paid[n] ?? 0) * (before.quantity + quantity)) / (line.quantity * step)) * step;
    // For units below one step, the first ones get a step each, while the line has one left.
    const least = Math.min(step, (paid[n] ?? 0) - before.pence);
    return { position, quantity, restock, amount_pence: Math.max(0, shares - before.pence, least) };
  });
  if (family.main.total_pence === 0) throw exceeds('lines', 'nothing was paid for them');
  return priced;
}

function paidForLines({ main, legs, named }: Family): readonly number[] {
  const others = named === main ? legs : [];
  const own = (of: (part: Part) => number) => of(named) - others.reduce((sum, leg) => sum + of(leg), 0);
  const discounts = {
    voucherPence: own(({ voucher_discount_pence }) => voucher_discount_pence),
    promoPence: own(({ promo_discount_pence }) => promo_discount_pence),
  };
  const subtotals = named.lines.map(({ quantity, unit_price_pence }) => quantity * unit_price_pence);
  const shares = splitDiscounts(subtotals, discounts, named.currency);
  return subtotals.map((subtotal, n) => subtotal - (shares[n]?.voucherPence ?? 0) - (shares[n]?.promoPence ?? 0));
}

function refundedOf(refunds: readonly StoredRefund[], orderId: string, position: number): { quantity: number; pence: number } {
  const lines = refunds
    .filter((refund) => refund.order_id === orderId && !hasEndedInVain(refund))
    .flatMap((refund) => refund.lines.filter((line) => line.position === position));
  return { quantity: lines.reduce((sum, line) => sum + line.quantity, 0), pence: sumOfLines(lines) };
}

export const sumOfLines = (lines: readonly RefundedLine[]): number => lines.reduce((sum, { amount_pence }) => sum + amount_pence, 0);

export const countsOfLines = (refund: StoredRefund, refunds: readonly StoredRefund[]) =>
  refund.lines.map(({ position }) => ({ position, refunded: refundedOf(refunds, refund.order_id, position).quantity }));

export const linesInWords = (lines: readonly RequestedLine[], { lines: sold }: Part): string =>
  lines
    .flatMap(({ position, quantity }) => {
      const line = sold.find((each) => each.position === position);
      return line ? [`${quantity} × ${lineName(line)}`] : [];
    })
    .join(', ');
