import { makeHandDatabase } from '../by-hand/hand-database.ts';
import { type ByHand, writeByHand } from '../by-hand/write-by-hand.ts';
import { signIn } from '../load/customers.ts';
import { placeOrders } from '../load/place-orders.ts';
import { type Finding, rowsOf } from '../report/figures.ts';
import { breakdownOf } from '../report/report.ts';
import { freeBasket, type StoresAndCustomers } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import type { DatabaseCounts } from '../system/database-counts.ts';
import { measureAll, measureIdle, plus, times } from '../system/measure.ts';
import { type ProcessorTime, platformTime } from '../system/processor-time.ts';
import { countedRepetitions, countFindings, countsAsText } from './count-findings.ts';
import type { PartOptions } from './part.ts';

const concurrency = 16;

const variants = [
  { kind: 'rewarding', name: 'a free order with stamp and messages', ms: 6 },
  { kind: 'plain', name: 'a free order without stamp and messages', ms: 3.6 },
] as const;

interface Round {
  readonly orders: number;
  readonly perSecond: number;
  readonly processor: ProcessorTime;
  readonly counts: DatabaseCounts | null;
  readonly hand: ByHand;
}

export async function measureFollowUp(bench: BenchSystem, { repetitions, seconds, log, explain }: PartOptions): Promise<Finding[]> {
  const { system, database } = bench;
  await using hand = await makeHandDatabase(system.databaseUrl, database);
  const idle = await measureIdle(bench);
  await writeByHand(bench, idle, { hand, kind: 'free', concurrency, seconds });
  await hand.analyze();
  const rounds = variants.map(() => [] as Round[]);
  log(`the idle system: ${idle.counts.statements.toFixed(1)} statements/s, ${idle.counts.commits.toFixed(1)} commits/s`);
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    for (const [variant, { kind, name }] of variants.entries()) {
      const isCounted = repetition <= countedRepetitions;
      const measured = await measureAll(bench, idle, () => placeSome(bench, bench[kind], isCounted ? seconds * 2 : seconds));
      const byHand = await writeByHand(bench, idle, { hand, kind: 'free', concurrency, seconds });
      const { result, processor, ...took } = measured;
      const counts = isCounted ? times(await measured.counts(), 1 / result.count) : null;
      rounds[variant]?.push({ orders: result.count, perSecond: result.count / took.seconds, processor, counts, hand: byHand });
      log(
        `${name} ${repetition}/${repetitions}: ${((platformTime(processor) / result.count) * 1000).toFixed(1)} ms, by hand ` +
          `${(byHand.processor * 1000).toFixed(2)} ms${countsAsText(counts)}`,
      );
    }
  }
  for (const [variant, { name }] of variants.entries())
    explain(breakdownOf(`Processor time of ${name}`, ...totalOf(rounds[variant] ?? [])));
  return variants.flatMap((variant, i) => findingsOf(variant, rounds[i] ?? []));
}

async function placeSome({ system }: BenchSystem, { stores, customerIds }: StoresAndCustomers, seconds: number) {
  const customers = await signIn(system, customerIds);
  return await placeOrders({ gatewayUrl: system.gatewayUrl, customers, stores, basket: freeBasket, concurrency, seconds });
}

function totalOf(rounds: readonly Round[]): [ProcessorTime, number] {
  const processor = rounds.map((round) => round.processor).reduce((sum, each) => plus(sum, each));
  return [processor, rounds.reduce((sum, { orders }) => sum + orders, 0)];
}

function findingsOf({ name, ms }: (typeof variants)[number], rounds: readonly Round[]): Finding[] {
  const perOrder = ({ processor, orders }: Round) => platformTime(processor) / orders;
  const row = rowsOf(rounds, `${name}, ${concurrency} at once`);
  return [
    row(': processor, by hand / ours', 'ratio', 'more', (r) => r.hand.processor / perOrder(r)),
    row(': processor', 'ms an order', 'less', (r) => perOrder(r) * 1000, { at: 'most', value: ms }),
    row(': done', 'orders/s', 'more', (r) => r.perSecond),
    ...countFindings(
      name,
      rounds.flatMap(({ counts }) => counts ?? []),
      { statements: 10, commits: 4, fsyncs: 2 },
    ),
  ];
}
