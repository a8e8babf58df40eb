import { setTimeout as pause } from 'node:timers/promises';
import type { BenchSystem } from './bench-system.ts';
import { type Finding, quantile, spread } from './figures.ts';
import { tellOrderEvents, travelTimes } from './order-events.ts';
import { untilHeard } from './until-heard.ts';

interface DelayOptions {
  readonly repetitions: number;
  readonly seconds: number;
  /** Events a second. */
  readonly rate: number;
  readonly say: (line: string) => void;
}

/** From the commit of an event in orders to the commit of its stamp in loyalty, at a steady rate, by the database's own clock. */
export async function measureEventDelay({ database, stores }: BenchSystem, options: DelayOptions): Promise<Finding[]> {
  const { repetitions, seconds, rate, say } = options;
  const runs: number[][] = [];
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    await untilHeard(database);
    const ids = await steadily(rate, repetition === 0 ? rate * 2 : rate * seconds, () =>
      tellOrderEvents(database, stores, 'order.paid', 1),
    );
    await untilHeard(database);
    const times = await travelTimes(database, ids.flat());
    // The first warms up.
    if (repetition === 0) continue;
    runs.push(times);
    say(`events ${repetition}/${repetitions}: p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`);
  }
  const at = (q: number) =>
    spread(
      runs.map((times) => quantile(times, q)),
      'less',
    );
  return [
    { what: `event to committed effect at ${rate}/s, p50`, unit: 'ms', figure: at(0.5), goal: { at: 'most', value: 1.5 } },
    { what: `event to committed effect at ${rate}/s, p99`, unit: 'ms', figure: at(0.99), goal: { at: 'most', value: 8 } },
    { what: `event to committed effect at ${rate}/s, longest`, unit: 'ms', figure: at(1) },
  ];
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
