import { makeHandDatabase } from '../by-hand/hand-database.ts';
import { expectSameRows } from '../by-hand/same-rows.ts';
import { type ByHand, writeByHand } from '../by-hand/write-by-hand.ts';
import { signIn } from '../load/customers.ts';
import { placeOrders } from '../load/place-orders.ts';
import { type Finding, quantile, rowsOf } from '../report/figures.ts';
import { breakdownOf } from '../report/report.ts';
import { freeBasket } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { measure, measureIdle, plus } from '../system/measure.ts';
import { type ProcessorTime, platformTime } from '../system/processor-time.ts';
import { untilRelayed } from '../system/relay-progress.ts';
import { whileConsumersAreStopped } from '../system/while-consumers-are-stopped.ts';
import type { PartOptions } from './part.ts';

const levels = [
  { concurrency: 1, processor: 0.2 },
  { concurrency: 16, processor: 0.33 },
  { concurrency: 64, processor: 0.42 },
] as const;

interface Round {
  readonly orders: number;
  readonly perSecond: number;
  readonly took: readonly number[];
  readonly processor: ProcessorTime;
  readonly hand: ByHand;
}

export async function measureAccept(bench: BenchSystem, { repetitions, seconds, log, explain }: PartOptions): Promise<Finding[]> {
  const { system, database, plain } = bench;
  await using hand = await makeHandDatabase(system.databaseUrl, database);
  const idle = await measureIdle(bench);
  const rounds = levels.map(() => [] as Round[]);
  await writeByHand(bench, idle, { hand, kind: 'free', concurrency: 16, seconds });
  await hand.analyze();
  await whileConsumersAreStopped(bench, async () => {
    const customers = await signIn(system, plain.customerIds);
    const place = (concurrency: number) =>
      measure(bench, async () => {
        const load = await placeOrders({
          gatewayUrl: system.gatewayUrl,
          customers,
          stores: plain.stores,
          basket: freeBasket,
          concurrency,
          seconds,
        });
        await untilRelayed(database);
        return load;
      });
    await place(16);
    await expectSameRows(database, hand, 'free');
    for (let repetition = 1; repetition <= repetitions; repetition += 1) {
      for (const [level, { concurrency }] of levels.entries()) {
        const { result, processor } = await place(concurrency);
        const byHand = await writeByHand(bench, idle, { hand, kind: 'free', concurrency, seconds });
        const round = { orders: result.count, perSecond: result.perSecond, took: result.took, processor, hand: byHand };
        rounds[level]?.push(round);
        log(`accept ${repetition}/${repetitions}, ${concurrency} at once: ${describe(round)}`);
      }
    }
  });
  explain(breakdownOf('Processor time of accepting a free order, 16 at once, no service consuming', ...totalOf(rounds[1] ?? [])));
  return levels.flatMap((level, i) => findingsOf(level, rounds[i] ?? []));
}

const perOrder = ({ processor, orders }: Round): number => platformTime(processor) / orders;
const postgresRatio = ({ processor, orders, hand }: Round): number => (processor.postgres ?? 0) / orders / hand.postgres;

const describe = (round: Round): string =>
  `${round.perSecond.toFixed(0)} orders/s of ${(perOrder(round) * 1000).toFixed(2)} ms, by hand ${round.hand.perSecond.toFixed(0)}/s of ` +
  `${(round.hand.processor * 1000).toFixed(2)} ms`;

function totalOf(rounds: readonly Round[]): [ProcessorTime, number] {
  const processor = rounds.map((round) => round.processor).reduce((sum, each) => plus(sum, each));
  return [processor, rounds.reduce((sum, { orders }) => sum + orders, 0)];
}

function findingsOf({ concurrency, processor }: (typeof levels)[number], rounds: readonly Round[]): Finding[] {
  const row = rowsOf(rounds, `accept, ${concurrency} at once`);
  return [
    row(': processor, by hand / ours', 'ratio', 'more', (r) => r.hand.processor / perOrder(r), { at: 'least', value: processor }),
    row(': rate, ours / by hand', 'ratio', 'more', (r) => r.perSecond / r.hand.perSecond),
    row(
      ": Postgres' processor, ours / by hand",
      'ratio',
      'less',
      postgresRatio,
      concurrency === 16 ? { at: 'most', value: 1.9 } : undefined,
    ),
    row(': processor', 'ms an order', 'less', (r) => perOrder(r) * 1000),
    row('', 'orders/s', 'more', (r) => r.perSecond),
    row(', p99', 'ms', 'less', (r) => quantile(r.took, 0.99)),
    row(' by hand: processor', 'ms an order', 'less', (r) => r.hand.processor * 1000),
  ];
}
