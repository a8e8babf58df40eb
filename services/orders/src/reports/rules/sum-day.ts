import type { ReportItem } from '@corner/contracts';
import { creditsOf, type RatedLine, sumVat } from '../../receipts/index.ts';
import { addFigures, type DayFigures, noFigures, sumItems, type Taking, type Vat } from './figures.ts';

/** A tip paid with an order, or the negative part of it that a refund returned. */
export interface TipEntry {
  readonly at: string;
  readonly order_id: string;
  readonly order_number: string;
  readonly tip_pence: number;
}

export interface DaySums {
  readonly day: string;
  readonly figures: DayFigures;
  readonly items: readonly ReportItem[];
  readonly tips: readonly TipEntry[];
}

export interface LedgerSums {
  readonly day: string;
  readonly gross_pence: number;
  readonly refund_count: number;
  readonly refunded_pence: number;
  readonly store_refunds_pence: number;
  readonly platform_fees_pence: number;
  readonly provider_fees_pence: number;
  readonly known_payments: number;
  readonly unknown_payments: number;
  readonly disputes_opened: number;
  readonly withdrawn_pence: number;
  readonly returned_pence: number;
  readonly dispute_fees_pence: number;
  readonly dispute_shares_pence: number;
  readonly takings: readonly Taking[];
}

export interface SoldOrder {
  readonly day: string;
  readonly at: string;
  readonly order_id: string;
  readonly order_number: string;
  readonly state: 'open' | 'fulfilled' | 'cancelled';
  readonly subtotal_pence: number;
  readonly promo_pence: number;
  readonly voucher_pence: number;
  readonly with_voucher: boolean;
  readonly tip_pence: number;
  readonly lines: readonly {
    readonly name: string;
    readonly quantity: number;
    readonly vat_rate_bps: number | null;
    readonly vat_parts?: RatedLine['vat_parts'];
    readonly unit_price_pence: number;
  }[];
}

type Credited = Parameters<typeof creditsOf>;

/** An order with refunded money, with all its refunds; the days are null for events outside the span. */
export interface CreditedOrder {
  readonly id: string;
  readonly order_number: string;
  readonly discount_pence: number;
  readonly lines: Credited[0]['lines'];
  readonly refunds: readonly (Credited[1][number] & { readonly accepted_day: string | null; readonly failed_day: string | null })[];
}

export interface OpenRows {
  readonly ledger: readonly LedgerSums[];
  readonly sold: readonly SoldOrder[];
  readonly credited: readonly CreditedOrder[];
}

export function sumDay(day: string, rows: OpenRows): DaySums {
  const sold = rows.sold.filter((order) => order.day === day);
  const money = rows.ledger.find((sums) => sums.day === day);
  const credits = rows.credited.flatMap((order) => creditsOnDay(order, day));
  const ledger = money ? [figuresOfLedger(money)] : [];
  const figures = [...ledger, ...sold.map(figuresOfOrder), ...credits.map(({ figures: of }) => of)].reduce(addFigures, noFigures);
  const tips = [
    ...sold.map(({ at, order_id, order_number, tip_pence }) => ({ at, order_id, order_number, tip_pence })),
    ...credits.map(({ tip }) => tip),
  ];
  return {
    day,
    figures,
    items: sumItems(sold.flatMap(({ lines }) => lines.map(itemOfLine))),
    tips: tips.filter(({ tip_pence }) => tip_pence !== 0).sort((a, b) => keyOf(a).localeCompare(keyOf(b))),
  };
}

/** Orders tips of the same instant, so that a page of them is the same each time. */
const keyOf = ({ at, order_id, tip_pence }: TipEntry): string => `${at} ${order_id} ${tip_pence < 0}`;

const itemOfLine = ({ name, quantity, unit_price_pence }: SoldOrder['lines'][number]): ReportItem => ({
  name,
  quantity,
  amount_pence: quantity * unit_price_pence,
});

const figuresOfLedger = (m: LedgerSums): DayFigures => ({
  ...noFigures,
  gross_pence: m.gross_pence,
  takings: [...m.takings],
  refunds: { count: m.refund_count, amount_pence: m.refunded_pence, store_pence: m.store_refunds_pence },
  fees: {
    platform_pence: m.platform_fees_pence,
    provider_pence: m.provider_fees_pence,
    known_payments: m.known_payments,
    unknown_payments: m.unknown_payments,
  },
  disputes: {
    opened: m.disputes_opened,
    withdrawn_pence: m.withdrawn_pence,
    returned_pence: m.returned_pence,
    provider_fees_pence: m.dispute_fees_pence,
    store_pence: m.dispute_shares_pence,
  },
});

function figuresOfOrder(order: SoldOrder): DayFigures {
  const discount = order.promo_pence + order.voucher_pence;
  return {
    ...noFigures,
    orders: { ...noFigures.orders, paid: 1, [order.state]: 1 },
    items_pence: order.subtotal_pence,
    discounts: {
      amount_pence: discount,
      promos_pence: order.promo_pence,
      promo_orders: order.promo_pence > 0 ? 1 : 0,
      vouchers_pence: order.voucher_pence,
      voucher_orders: order.with_voucher ? 1 : 0,
    },
    vat: sumVat(order.lines, discount),
    tips: { orders: order.tip_pence > 0 ? 1 : 0, amount_pence: order.tip_pence, refunded_pence: 0 },
  };
}

/** Sums an order's refunds of a day by their credit notes; a refund that failed on the day is added back. */
function creditsOnDay(order: CreditedOrder, day: string): { readonly figures: DayFigures; readonly tip: TipEntry }[] {
  const credits = creditsOf(order, order.refunds);
  return order.refunds.flatMap(({ accepted_day, accepted_at, failed_day, failed_at }, n) => {
    const credit = credits[n];
    if (!credit) return [];
    const signs = [
      ...(accepted_day === day ? [{ at: accepted_at, sign: -1 }] : []),
      ...(failed_day === day && failed_at !== null ? [{ at: failed_at, sign: 1 }] : []),
    ];
    return signs.map(({ at, sign }) => ({
      figures: {
        ...noFigures,
        vat: credit.vat.map((of) => scaled(of, sign)),
        tips: { ...noFigures.tips, refunded_pence: -sign * credit.tip_pence },
      },
      tip: { at, order_id: order.id, order_number: order.order_number, tip_pence: sign * credit.tip_pence },
    }));
  });
}

const scaled = ({ rate_bps, net_pence, vat_pence, gross_pence }: Vat, by: number): Vat => ({
  rate_bps,
  net_pence: net_pence * by,
  vat_pence: vat_pence * by,
  gross_pence: gross_pence * by,
});

export function daysBetween(from: string, to: string): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: Math.max(0, (last - first) / 86_400_000 + 1) }, (_, n) =>
    new Date(first + n * 86_400_000).toISOString().slice(0, 10),
  );
}

/** Splits days into groups that are summed at once, so that one statement reads at most a week of orders. */
export const weeksOf = (days: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(days.length / 7) }, (_, n) => days.slice(n * 7, n * 7 + 7));
