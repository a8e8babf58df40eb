import { randomUUID } from 'node:crypto';
import { type Finding, quantile, rowsOf } from '../report/figures.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import type { PartOptions } from './part.ts';

const [days, ordersOfDay, itemsOfDay, tipsOfDay, reads] = [365, 1_000, 60, 333, 20] as const;

export async function measureReportOfYear(bench: BenchSystem, { repetitions, log }: PartOptions): Promise<Finding[]> {
  const { system, database, plain } = bench;
  const storeId = plain.stores[0]?.id ?? '';
  const token = await system.tokens.token({ typ: 'merchant', sub: randomUUID(), stores: [storeId] });
  await database.query(
    `insert into orders.day_report (store_id, day, ends_at, figures, items, tips)
    select $1, d, d + 1, $3, $4, $5 from generate_series('2025-01-01'::date, '2025-01-01'::date + $2::int - 1, '1 day') days (day), lateral (select day::date as d)`,
    [storeId, days, ...[figures, items, tips].map((value) => JSON.stringify(value))],
  );
  await database.query('analyze orders.day_report');
  const url = `${system.gatewayUrl}/api/v1/orders/reports?store_id=${storeId}&from=2025-01-01&to=2025-12-31`;
  const read = async (): Promise<number> => {
    const began = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (!response.ok || JSON.parse(text).total.orders.paid !== days * ordersOfDay) throw new Error(`not the report of the year: ${text}`);
    return performance.now() - began;
  };
  const rounds: number[][] = [];
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    const times: number[] = [];
    for (let n = 0; n < reads; n += 1) times.push(await read());
    if (repetition > 0) rounds.push(times);
    log(`report of a year ${repetition}/${repetitions}: p50 ${quantile(times, 0.5).toFixed(0)} ms`);
  }
  const row = rowsOf(rounds, `the report of a year of ${ordersOfDay} orders a day: `);
  return [
    row('p50', 'ms', 'less', (times) => quantile(times, 0.5), { at: 'most', value: 200 }),
    row('worst', 'ms', 'less', (times) => Math.max(...times)),
  ];
}

const figures = {
  orders: { paid: ordersOfDay, open: 0, fulfilled: ordersOfDay, cancelled: 0 },
  gross_pence: 700_000,
  items_pence: 690_000,
  discounts: { amount_pence: 10_000, promos_pence: 6_000, promo_orders: 30, vouchers_pence: 4_000, voucher_orders: 12 },
  vat: [0, 500, 2_000].map((rate_bps) => ({ rate_bps, gross_pence: 230_000, net_pence: 200_000, vat_pence: 30_000 })),
  tips: { orders: tipsOfDay, amount_pence: 20_000, refunded_pence: 100 },
  refunds: { count: 10, amount_pence: 7_000, store_pence: 6_900 },
  fees: { platform_pence: 7_000, provider_pence: 15_000, known_payments: ordersOfDay, unknown_payments: 0 },
  disputes: { opened: 0, withdrawn_pence: 0, returned_pence: 0, provider_fees_pence: 0, store_pence: 0 },
};
const items = Array.from({ length: itemsOfDay }, (_, n) => ({ name: `Item ${n}`, quantity: 25, amount_pence: 11_500 }));
const tips = Array.from({ length: tipsOfDay }, (_, n) => ({
  at: '2025-01-01T12:00:00.000000Z',
  order_id: randomUUID(),
  order_number: `S1-${n}`,
  tip_pence: 60,
}));
