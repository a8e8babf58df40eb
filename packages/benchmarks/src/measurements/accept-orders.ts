import { copyOrdersTables, orderWrites } from '../by-hand/order-writes.ts';
import { hasPgbench, pgbench } from '../by-hand/pgbench.ts';
import { statementsByClient } from '../by-hand/statements-by-client.ts';
import { gatherCustomers, type Load, placeOrders } from '../load/order-load.ts';
import { type Finding, type Goal, quantile, short, spread } from '../report/figures.ts';
import { type ProcessorTime, processorTime, usedBetween } from '../report/processor-time.ts';
import { menu } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { untilProcessed } from '../system/until-processed.ts';
import { whileConsumersAreStopped } from '../system/while-consumers-are-stopped.ts';
import type { PartOptions } from './part.ts';

const levels: readonly { readonly concurrency: number; readonly goal: Goal }[] = [
  { concurrency: 1, goal: { at: 'least', value: 0.65 } },
  { concurrency: 16, goal: { at: 'least', value: 0.75 } },
  { concurrency: 64, goal: { at: 'least', value: 1 } },
];

/** One repetition at one concurrency. Rates are transactions or orders a second. */
interface Round {
  readonly free: Load;
  readonly priced: Load;
  readonly all: number;
  readonly few: number;
  /** Orders a second while the consumers of their events are stopped. */
  readonly unprocessed: number;
}

/**
 * The rate of accepted orders through the gateway, divided by the rate at which the same rows are written statement by statement on the
 * same server. Free orders make no call of the payment provider. Throws when an order is refused.
 */
export async function measureAccept(bench: BenchSystem, options: PartOptions): Promise<Finding[]> {
  const { system, stores, database } = bench;
  const { repetitions, seconds, log, explain } = options;
  await copyOrdersTables(database);
  const byHand = (await hasPgbench()) ? pgbench : statementsByClient;
  const scripts = { all: orderWrites(stores, 'all'), few: orderWrites(stores, 'few') };
  using customers = await gatherCustomers(system, 256, 64);
  const free = [menu.counted, menu.uncounted].map((menu_item_id) => ({ menu_item_id, quantity: 1 }));
  const priced = [{ menu_item_id: menu.priced, quantity: 1 }, ...free.slice(1)];
  const rounds = new Map<number, Round[]>(levels.map(({ concurrency }) => [concurrency, []]));
  let used: ProcessorTime = {};
  let orders = 0;
  log('accept: warming up');
  await placeOrders({ customers, stores, items: priced, concurrency: 16, seconds });
  await placeOrders({ customers, stores, items: free, concurrency: 16, seconds: seconds * 2 });
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    const round = new Map<number, Omit<Round, 'unprocessed'>>();
    for (const { concurrency } of levels) {
      const written = (rows: 'all' | 'few') => byHand({ databaseUrl: system.databaseUrl, script: scripts[rows], concurrency, seconds });
      // Work left over from an earlier run would slow this one.
      await untilProcessed(database);
      const before = processorTime(system);
      const load = await placeOrders({ customers, stores, items: free, concurrency, seconds });
      used = plus(used, usedBetween(before, processorTime(system)));
      orders += load.orders;
      await untilProcessed(database);
      const all = await written('all');
      const few = await written('few');
      const withProvider = await placeOrders({ customers, stores, items: priced, concurrency, seconds });
      round.set(concurrency, { free: load, priced: withProvider, all, few });
    }
    await untilProcessed(database);
    await whileConsumersAreStopped(system, async () => {
      for (const [concurrency, rest] of round) {
        const unprocessed = (await placeOrders({ customers, stores, items: free, concurrency, seconds })).perSecond;
        rounds.get(concurrency)?.push({ ...rest, unprocessed });
        log(`accept ${repetition}/${repetitions}, ${concurrency} concurrent: ${describeRound({ ...rest, unprocessed })}`);
      }
    });
  }
  explain({ title: 'Processor time of one accepted order', columns: ['', 'µs', '%'], rows: perOrder(used, orders) });
  return levels.flatMap((level) => findingsOf(level, rounds.get(level.concurrency) ?? []));
}

const describeRound = ({ free, priced, all, few, unprocessed }: Round): string =>
  `${free.perSecond.toFixed(0)} orders/s, ${unprocessed.toFixed(0)} with consumers stopped, ${priced.perSecond.toFixed(0)} with the payment ` +
  `simulator; by hand ${all.toFixed(0)}/s, the fewest rows ${few.toFixed(0)}/s`;

function findingsOf({ concurrency, goal }: (typeof levels)[number], rounds: readonly Round[]): Finding[] {
  const of = (value: (round: Round) => number) => rounds.map(value);
  const name = `accept, ${concurrency} concurrent`;
  return [
    {
      what: `${name} / the same rows by hand`,
      unit: 'ratio',
      figure: spread(
        of((r) => r.free.perSecond / r.all),
        'more',
      ),
      goal,
    },
    {
      what: `${name} / the fewest rows by hand`,
      unit: 'ratio',
      figure: spread(
        of((r) => r.free.perSecond / r.few),
        'more',
      ),
    },
    {
      what: `${name}`,
      unit: 'orders/s',
      figure: spread(
        of((r) => r.free.perSecond),
        'more',
      ),
    },
    {
      what: `${name}, p99`,
      unit: 'ms',
      figure: spread(
        of((r) => quantile(r.free.took, 0.99)),
        'less',
      ),
    },
    {
      what: `${name}, with the payment simulator`,
      unit: 'orders/s',
      figure: spread(
        of((r) => r.priced.perSecond),
        'more',
      ),
    },
    {
      what: `the same rows by hand, ${concurrency} concurrent`,
      unit: 'tx/s',
      figure: spread(
        of((r) => r.all),
        'more',
      ),
    },
  ];
}

const plus = (a: ProcessorTime, b: ProcessorTime): ProcessorTime =>
  Object.fromEntries(Object.entries(b).map(([name, seconds]) => [name, seconds + (a[name] ?? 0)]));

function perOrder(used: ProcessorTime, orders: number): string[][] {
  const all = Object.values(used).reduce((sum, value) => sum + value, 0);
  return [...Object.entries(used), ['total', all] as const].map(([name, value]) => [
    name,
    short((value / orders) * 1e6),
    ((value / all) * 100).toFixed(0),
  ]);
}
