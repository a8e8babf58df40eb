import { makeHandDatabase } from '../by-hand/hand-database.ts';
import { expectSameRows } from '../by-hand/same-rows.ts';
import { type ByHand, writeByHand } from '../by-hand/write-by-hand.ts';
import { signIn } from '../load/customers.ts';
import { forceWrites } from '../load/forced-writes.ts';
import { type PaidLoad, payForOrders } from '../load/paid-orders.ts';
import { type Finding, quantile, rowsOf } from '../report/figures.ts';
import { breakdownOf } from '../report/report.ts';
import { pricedBasket } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import type { DatabaseCounts } from '../system/database-counts.ts';
import { measureAll, measureIdle, plus, times } from '../system/measure.ts';
import { type ProcessorTime, platformTime } from '../system/processor-time.ts';
import { countedRepetitions, countFindings, countsAsText } from './count-findings.ts';
import type { PartOptions } from './part.ts';

const concurrency = 16;

interface Round {
  readonly load: PaidLoad;
  readonly perSecond: number;
  readonly processor: ProcessorTime;
  readonly counts: DatabaseCounts | null;
  readonly hand: ByHand;
}

/** Milliseconds: of one order at a time, and the median of a forced write of a page of the log. */
interface Single {
  readonly load: PaidLoad;
  readonly forced: number;
}

type Pay = (atOnce: number) => Promise<PaidLoad>;

export async function measurePaidOrders(bench: BenchSystem, options: PartOptions): Promise<Finding[]> {
  const { system, rewarding } = bench;
  const { stores, customerIds } = rewarding;
  const customers = await signIn(system, customerIds);
  const pay: Pay = (atOnce) =>
    payForOrders({ system, customers, stores, basket: pricedBasket, concurrency: atOnce, seconds: options.seconds * (atOnce > 1 ? 2 : 1) });
  const singles = await payOneAtATime(bench, pay, options);
  const rounds = await payManyAtOnce(bench, pay, options);
  const processor = rounds.map((round) => round.processor).reduce((sum, each) => plus(sum, each));
  const orders = rounds.reduce((sum, round) => sum + round.load.count, 0);
  options.explain(breakdownOf(`Processor time of a paid order and all that follows, ${concurrency} at once`, processor, orders));
  return [...findingsAtOnce(rounds), ...findingsOfSingles(singles)];
}

async function payOneAtATime({ dataDir }: BenchSystem, pay: Pay, { repetitions, log }: PartOptions): Promise<Single[]> {
  const singles: Single[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    const single = { load: await pay(1), forced: quantile(forceWrites(dataDir, 1), 0.5) };
    singles.push(single);
    const [create, confirm] = [single.load.create, single.load.confirm].map((took) => quantile(took, 0.5).toFixed(1));
    log(
      `paid, one at a time ${repetition}/${repetitions}: create ${create} ms, confirm ${confirm} ms, a forced write ${single.forced.toFixed(2)} ms`,
    );
  }
  return singles;
}

async function payManyAtOnce(bench: BenchSystem, pay: Pay, { repetitions, seconds, log }: PartOptions): Promise<Round[]> {
  await using hand = await makeHandDatabase(bench.system.databaseUrl, bench.database);
  const idle = await measureIdle(bench);
  await writeByHand(bench, idle, { hand, kind: 'paid', concurrency, seconds });
  await hand.analyze();
  await expectSameRows(bench.database, hand, 'paid');
  const rounds: Round[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    await collectOrders(bench);
    const measured = await measureAll(bench, idle, () => pay(concurrency));
    const byHand = await writeByHand(bench, idle, { hand, kind: 'paid', concurrency, seconds });
    const { result: load, processor } = measured;
    const counts = repetition <= countedRepetitions ? times(await measured.counts(), 1 / load.count) : null;
    const round = { load, perSecond: load.count / measured.seconds, processor, counts, hand: byHand };
    rounds.push(round);
    log(`paid ${repetition}/${repetitions}: ${perOrder(round).toFixed(1)} ms an order${countsAsText(counts)}`);
  }
  return rounds;
}

/**
 * Ends the orders of earlier rounds, because an order's expected time depends on the unmade ones. Written by hand, since its events are not
 * measured here.
 */
export const collectOrders = ({ database }: Pick<BenchSystem, 'database'>) =>
  database.query(`update orders.orders set business_status = 'fulfilled', fulfilment_status = 'collected' where is_live`);

const perOrder = ({ processor, load }: Pick<Round, 'processor' | 'load'>): number => (platformTime(processor) / load.count) * 1000;

function findingsAtOnce(rounds: readonly Round[]): Finding[] {
  const row = rowsOf(rounds, `a paid order, ${concurrency} at once`);
  return [
    row(': processor', 'ms an order', 'less', perOrder, { at: 'most', value: 16 }),
    row(': processor, by hand / ours', 'ratio', 'more', (r) => (r.hand.processor * 1000) / perOrder(r)),
    row(': done', 'orders/s', 'more', (r) => r.perSecond),
    ...(['create', 'confirm'] as const).flatMap((step) => [
      row(`: ${step}, p50`, 'ms', 'less', ({ load }) => quantile(load[step], 0.5)),
      row(`: ${step}, p99`, 'ms', 'less', ({ load }) => quantile(load[step], 0.99)),
    ]),
    ...countFindings(
      'a paid order',
      rounds.flatMap(({ counts }) => counts ?? []),
      { commits: 12, statements: 22, rowsRead: 80 },
    ),
  ];
}

function findingsOfSingles(singles: readonly Single[]): Finding[] {
  const row = rowsOf(singles, 'a paid order, one at a time');
  return (['create', 'confirm'] as const).flatMap((step) => [
    row(`: ${step}, p50`, 'ms', 'less', ({ load }) => quantile(load[step], 0.5)),
    row(`: ${step}, p99`, 'ms', 'less', ({ load }) => quantile(load[step], 0.99)),
    row(`: ${step}, p50 / a forced write of the log`, '×', 'less', ({ load, forced }) => quantile(load[step], 0.5) / forced, {
      at: 'most',
      value: step === 'create' ? 6 : 9,
    }),
  ]);
}
