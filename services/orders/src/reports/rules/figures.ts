import type { ReportFigures, ReportItem } from '@corner/contracts';

/** The stored sums of a store's day: without its payouts, which the provider dates, and the net amount, which follows from the others. */
export interface DayFigures extends Omit<ReportFigures, 'payouts' | 'net_pence' | 'fees'> {
  readonly fees: {
    readonly platform_pence: number;
    readonly provider_pence: number;
    readonly known_payments: number;
    readonly unknown_payments: number;
  };
}

export type Vat = ReportFigures['vat'][number];
export type Taking = ReportFigures['takings'][number];

export const noFigures: DayFigures = {
  orders: { paid: 0, open: 0, fulfilled: 0, cancelled: 0 },
  gross_pence: 0,
  items_pence: 0,
  takings: [],
  discounts: { amount_pence: 0, promos_pence: 0, promo_orders: 0, vouchers_pence: 0, voucher_orders: 0 },
  vat: [],
  tips: { orders: 0, amount_pence: 0, refunded_pence: 0 },
  refunds: { count: 0, amount_pence: 0, store_pence: 0 },
  fees: { platform_pence: 0, provider_pence: 0, known_payments: 0, unknown_payments: 0 },
  disputes: { opened: 0, withdrawn_pence: 0, returned_pence: 0, provider_fees_pence: 0, store_pence: 0 },
};

/** Adds the figures of two days, or of two parts of one. A day closed before takings were stored has none. */
export const addFigures = (a: DayFigures, b: DayFigures): DayFigures => ({
  orders: add(a.orders, b.orders),
  gross_pence: a.gross_pence + b.gross_pence,
  items_pence: a.items_pence + b.items_pence,
  takings: addTakings(a.takings, b.takings),
  discounts: add(a.discounts, b.discounts),
  vat: addVat(a.vat, b.vat),
  tips: add(a.tips, b.tips),
  refunds: add(a.refunds, b.refunds),
  fees: add(a.fees, b.fees),
  disputes: add(a.disputes, b.disputes),
});

const add = <T extends Readonly<Record<keyof T, number>>>(a: T, b: T): T =>
  Object.fromEntries((Object.keys(a) as (keyof T)[]).map((key) => [key, a[key] + b[key]])) as T;

function addTakings(a: readonly Taking[] = [], b: readonly Taking[] = []): Taking[] {
  const keyOf = ({ channel, tender }: Taking) => `${channel} ${tender}`;
  const byKey = new Map(a.map((taking) => [keyOf(taking), taking]));
  for (const { channel, tender, ...sums } of b) {
    const known = byKey.get(keyOf({ channel, tender, ...sums }));
    byKey.set(keyOf({ channel, tender, ...sums }), { channel, tender, ...(known ? add(sums, sumsOf(known)) : sums) });
  }
  return [...byKey.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

const sumsOf = ({ payments, amount_pence, refunded_pence }: Taking) => ({ payments, amount_pence, refunded_pence });

function addVat(a: readonly Vat[], b: readonly Vat[]): Vat[] {
  if (b.length === 0) return [...a];
  const byRate = new Map<number | null, Vat>(a.map((vat) => [vat.rate_bps, vat]));
  for (const vat of b) {
    const sum = byRate.get(vat.rate_bps);
    byRate.set(
      vat.rate_bps,
      sum
        ? {
            rate_bps: vat.rate_bps,
            net_pence: sum.net_pence + vat.net_pence,
            vat_pence: sum.vat_pence + vat.vat_pence,
            gross_pence: sum.gross_pence + vat.gross_pence,
          }
        : vat,
    );
  }
  return [...byRate.values()].sort((one, other) => (other.rate_bps ?? -1) - (one.rate_bps ?? -1));
}

export function reportFigures({ fees, ...figures }: DayFigures, payouts: ReportFigures['payouts']): ReportFigures {
  const { platform_pence, provider_pence, known_payments, unknown_payments } = fees;
  const isUnknown = known_payments === 0 && unknown_payments > 0;
  return {
    ...figures,
    fees: { platform_pence, provider_pence: isUnknown ? null : provider_pence, unknown_payments },
    payouts,
    net_pence: figures.gross_pence - figures.refunds.store_pence - platform_pence - figures.disputes.store_pence,
  };
}

export function sumItems(items: readonly ReportItem[]): ReportItem[] {
  const byName = new Map<string, { quantity: number; amount_pence: number }>();
  for (const { name, quantity, amount_pence } of items) {
    const sum = byName.get(name) ?? { quantity: 0, amount_pence: 0 };
    byName.set(name, { quantity: sum.quantity + quantity, amount_pence: sum.amount_pence + amount_pence });
  }
  return [...byName]
    .map(([name, sum]) => ({ name, ...sum }))
    .sort((a, b) => b.amount_pence - a.amount_pence || b.quantity - a.quantity || (a.name < b.name ? -1 : 1));
}
