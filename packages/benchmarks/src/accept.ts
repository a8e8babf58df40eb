import { menu } from './bench-stores.ts';
import type { BenchSystem } from './bench-system.ts';
import { type Finding, type Goal, quantile, spread } from './figures.ts';
import { gather, type Load, placeOrders } from './order-load.ts';
import { hasPgbench, pgbench } from './pgbench.ts';
import { type ProcessorTime, processorTime, usedBetween } from './processor-time.ts';
import { statementsByClient } from './statements-by-client.ts';
import { untilProcessed } from './until-processed.ts';
import { whileConsumersAreStopped } from './while-consumers-are-stopped.ts';
import { copyOrdersTables, writesOf } from './written-by-hand.ts';

export interface AcceptOptions {
  readonly repetitions: number;
  /** Seconds of each run. */
  readonly seconds: number;
  readonly say: (line: string) => void;
}

export interface Accepted {
  readonly findings: readonly Finding[];
  /** Seconds of processor time over the runs of free orders, and how many those were. */
  readonly used: ProcessorTime;
  readonly orders: number;
}

const levels: readonly { readonly atOnce: number; readonly goal: Goal }[] = [
  { atOnce: 1, goal: { at: 'least', value: 0.65 } },
  { atOnce: 16, goal: { at: 'least', value: 0.75 } },
  { atOnce: 64, goal: { at: 'least', value: 1 } },
];

/** One repetition at one level, all in transactions or orders a second. */
interface Round {
  readonly free: Load;
  readonly priced: Load;
  readonly all: number;
  readonly few: number;
  /** Orders a second while no other service works on what follows. */
  readonly unprocessed: number;
}

/**
 * Accepting orders through the gateway, beside the same rows written statement by statement on the same server. Free orders make
 * no provider call; priced ones do, and are quoted raw. Throws when any order is refused.
 */
export async function measureAccept(bench: BenchSystem, options: AcceptOptions): Promise<Accepted> {
  const { system, stores, database } = bench;
  const { repetitions, seconds, say } = options;
  await copyOrdersTables(database);
  const byHand = (await hasPgbench()) ? pgbench : statementsByClient;
  const scripts = { all: writesOf(stores, 'all'), few: writesOf(stores, 'few') };
  using crowd = await gather(system, 256, 64);
  const free = [menu.counted, menu.uncounted].map((menu_item_id) => ({ menu_item_id, quantity: 1 }));
  const priced = [{ menu_item_id: menu.priced, quantity: 1 }, ...free.slice(1)];
  const rounds = new Map<number, Round[]>(levels.map(({ atOnce }) => [atOnce, []]));
  let used: ProcessorTime = {};
  let orders = 0;
  say('accept: warming up');
  await placeOrders({ crowd, stores, items: priced, atOnce: 16, seconds });
  await placeOrders({ crowd, stores, items: free, atOnce: 16, seconds: seconds * 2 });
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    const round = new Map<number, Omit<Round, 'unprocessed'>>();
    for (const { atOnce } of levels) {
      const written = (rows: 'all' | 'few') => byHand({ databaseUrl: system.databaseUrl, script: scripts[rows], atOnce, seconds });
      // Whatever an earlier run left to do is done first, or the next one would pay for it.
      await untilProcessed(database);
      const before = processorTime(system);
      const load = await placeOrders({ crowd, stores, items: free, atOnce, seconds });
      used = plus(used, usedBetween(before, processorTime(system)));
      orders += load.orders;
      await untilProcessed(database);
      const all = await written('all');
      const few = await written('few');
      const withProvider = await placeOrders({ crowd, stores, items: priced, atOnce, seconds });
      round.set(atOnce, { free: load, priced: withProvider, all, few });
    }
    await untilProcessed(database);
    await whileConsumersAreStopped(system, async () => {
      for (const [atOnce, rest] of round) {
        const unprocessed = (await placeOrders({ crowd, stores, items: free, atOnce, seconds })).perSecond;
        rounds.get(atOnce)?.push({ ...rest, unprocessed });
        say(`accept ${repetition}/${repetitions}, ${atOnce} at once: ${inWords({ ...rest, unprocessed })}`);
      }
    });
  }
  return { findings: levels.flatMap((level) => findingsOf(level, rounds.get(level.atOnce) ?? [])), used, orders };
}

const inWords = ({ free, priced, all, few, unprocessed }: Round): string =>
  `${free.perSecond.toFixed(0)} orders/s, ${unprocessed.toFixed(0)} while nobody listens, ${priced.perSecond.toFixed(0)} with the payment ` +
  `simulator; by hand ${all.toFixed(0)}/s, the fewest rows ${few.toFixed(0)}/s`;

function findingsOf({ atOnce, goal }: (typeof levels)[number], rounds: readonly Round[]): Finding[] {
  const of = (value: (round: Round) => number) => rounds.map(value);
  const name = `accept, ${atOnce} at once`;
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
      what: `the same rows by hand, ${atOnce} at once`,
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
