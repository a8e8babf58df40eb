import { setTimeout as pause } from 'node:timers/promises';
import type { BenchSystem } from './bench-system.ts';
import { countsAreCompleteAfterMs, type DatabaseCounts, databaseCounts } from './database-counts.ts';
import { type ProcessorTime, processorTime } from './processor-time.ts';
import { untilSettled } from './settled.ts';

export interface Measured<T> {
  readonly result: T;
  readonly seconds: number;
  readonly processor: ProcessorTime;
}

export interface Counted<T> extends Measured<T> {
  counts(): Promise<DatabaseCounts>;
}

export async function measure<T>(bench: BenchSystem, work: () => Promise<T>): Promise<Measured<T>> {
  const before = await processorTime(bench);
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  return { result, seconds, processor: minus(await processorTime(bench), before) };
}

/**
 * Measures some work with its consequences, and its use of the database without an idle system's. The services must have been idle for ten
 * seconds.
 */
export async function measureAll<T>(bench: BenchSystem, idle: Idle, work: () => Promise<T>): Promise<Counted<T>> {
  const before = await databaseCounts(bench);
  const startedAt = performance.now();
  const measured = await measure(bench, async () => {
    const result = await work();
    await untilSettled(bench);
    return result;
  });
  const settled = await databaseCounts(bench);
  const settledAt = performance.now();
  return {
    ...measured,
    async counts() {
      await pause(Math.max(0, settledAt + countsAreCompleteAfterMs - performance.now()));
      const late = await databaseCounts(bench);
      const { walBytes } = settled;
      const seconds = (performance.now() - startedAt) / 1000;
      const own = minus({ ...late, walBytes }, before);
      return { ...minus(own, times(idle.counts, seconds)), walBytes: own.walBytes };
    },
  };
}

export interface Idle {
  readonly processor: ProcessorTime;
  readonly counts: DatabaseCounts;
}

const measuredIdle = new WeakMap<BenchSystem, Promise<Idle>>();

export async function measureIdle(bench: BenchSystem): Promise<Idle> {
  const idle = measuredIdle.get(bench) ?? lookAtIdle(bench);
  measuredIdle.set(bench, idle);
  await Promise.all([idle, untilCountsAreComplete(bench)]);
  return await idle;
}

async function lookAtIdle(bench: BenchSystem): Promise<Idle> {
  await untilCountsAreComplete(bench);
  const before = await databaseCounts(bench);
  const { seconds, processor } = await measure(bench, () => pause(countsAreCompleteAfterMs));
  const counts = minus(await databaseCounts(bench), before);
  return { processor: times(processor, 1 / seconds), counts: times(counts, 1 / seconds) };
}

async function untilCountsAreComplete(bench: BenchSystem): Promise<void> {
  await untilSettled(bench);
  await pause(countsAreCompleteAfterMs);
}

export const minus = <T extends object>(a: T, b: T): T => map(a, (value, name) => value - figure(b, name));
export const plus = <T extends object>(a: T, b: T): T => map(a, (value, name) => value + figure(b, name));
export const times = <T extends object>(a: T, factor: number): T => map(a, (value) => value * factor);

const figure = (of: object, name: string): number => Number((of as Record<string, number>)[name] ?? 0);
const map = <T extends object>(of: T, change: (value: number, name: string) => number): T =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value as number, name)])) as T;
