import { setTimeout as pause } from 'node:timers/promises';
import { publishOrderEvents, travelTimes } from '../load/publish-order-events.ts';
import { type Finding, quantile, spread } from '../report/figures.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { untilSettled } from '../system/settled.ts';
import type { PartOptions } from './part.ts';

const rate = 200;
const seconds = 5;

/** Loyalty has no handler for a changed status, so that event costs outbox, relay and inbox alone. */
const kinds = [
  { type: 'order.status_changed', name: 'event to committed inbox, without a handler', p50: 1.5, p99: 8 },
  { type: 'order.paid', name: 'event to committed stamp', p50: 3, p99: 18 },
] as const;

export async function measureEventDelay(bench: BenchSystem, { repetitions, log }: PartOptions): Promise<Finding[]> {
  const { database, plain } = bench;
  const runs = kinds.map(() => [] as number[][]);
  const publishAndTime = async (type: (typeof kinds)[number]['type'], count: number) => {
    const ids = await atSteadyRate(rate, count, () => publishOrderEvents(database, plain.stores, type, 1));
    await untilSettled(bench);
    return await travelTimes(database, ids.flat());
  };
  for (const { type } of kinds) await publishAndTime(type, rate * 2);
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    for (const [kind, { type, name }] of kinds.entries()) {
      const times = await publishAndTime(type, rate * seconds);
      runs[kind]?.push(times);
      log(`${name} ${repetition}/${repetitions}: p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`);
    }
  }
  return kinds.flatMap(({ name, p50, p99 }, kind) => {
    const at = (q: number) => spread(runs[kind]?.map((times) => quantile(times, q)) ?? [], 'less');
    return [
      { what: `${name}, ${rate}/s, p50`, unit: 'ms', figure: at(0.5), goal: { at: 'most', value: p50 } },
      { what: `${name}, ${rate}/s, p99`, unit: 'ms', figure: at(0.99), goal: { at: 'most', value: p99 } },
    ] as const;
  });
}

/** Does not wait for earlier runs. Throws when it falls behind by more than a second. */
async function atSteadyRate<T>(perSecond: number, count: number, work: () => Promise<T>): Promise<T[]> {
  const startedAt = performance.now();
  const running: Promise<T>[] = [];
  for (let i = 0; i < count; i += 1) {
    const late = performance.now() - startedAt - (i * 1000) / perSecond;
    if (late < 0) await pause(-late);
    if (late > 1_000) throw new Error('this machine is too slow for the rate');
    running.push(work());
  }
  return await Promise.all(running);
}
