import { setTimeout as pause } from 'node:timers/promises';
import type { BenchSystem } from './bench-system.ts';
import { type Finding, quantile, spread } from './figures.ts';
import { tellOrderEvents, travelTimes } from './order-events.ts';
import { untilProcessed } from './until-processed.ts';

interface DelayOptions {
  readonly repetitions: number;
  readonly seconds: number;
  /** Events a second. */
  readonly rate: number;
  readonly say: (line: string) => void;
}

/** What is told, and how it is called in the report. Nobody reacts to a dispute: it costs the backbone and nothing else. */
const kinds = [
  { type: 'payment.disputed', name: 'event to committed inbox, nobody reacting' },
  { type: 'order.paid', name: 'event to committed stamp' },
] as const;

/** From the commit of an event in orders to the commit of what it causes in loyalty, at a steady rate, by the database's own clock. */
export async function measureEventDelay({ database, stores }: BenchSystem, options: DelayOptions): Promise<Finding[]> {
  const { repetitions, seconds, rate, say } = options;
  const runs = kinds.map(() => [] as number[][]);
  const tellAndTime = async (type: (typeof kinds)[number]['type'], count: number) => {
    const ids = await steadily(rate, count, () => tellOrderEvents(database, stores, type, 1));
    await untilProcessed(database);
    return await travelTimes(database, ids.flat());
  };
  for (const { type } of kinds) await tellAndTime(type, rate * 2);
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    for (const [kind, { type, name }] of kinds.entries()) {
      const times = await tellAndTime(type, rate * seconds);
      runs[kind]?.push(times);
      say(`${name} ${repetition}/${repetitions}: p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`);
    }
  }
  return kinds.flatMap(({ name }, kind) => {
    const at = (q: number) => spread(runs[kind]?.map((times) => quantile(times, q)) ?? [], 'less');
    return [
      { what: `${name}, ${rate}/s, p50`, unit: 'ms', figure: at(0.5), goal: { at: 'most', value: 1.5 } },
      { what: `${name}, ${rate}/s, p99`, unit: 'ms', figure: at(0.99), goal: { at: 'most', value: 8 } },
    ] as const;
  });
}

/** Does something so often a second whether or not what came before is done. Throws when it falls behind by more than a second. */
async function steadily<T>(perSecond: number, count: number, deed: () => Promise<T>): Promise<T[]> {
  const began = performance.now();
  const under: Promise<T>[] = [];
  for (let i = 0; i < count; i += 1) {
    const late = performance.now() - began - (i * 1000) / perSecond;
    if (late < 0) await pause(-late);
    if (late > 1_000) throw new Error('this machine is too slow for the rate');
    under.push(deed());
  }
  return await Promise.all(under);
}
