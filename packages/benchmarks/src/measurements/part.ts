import type { Finding } from '../report/figures.ts';
import type { Breakdown } from '../report/report.ts';
import type { BenchSystem } from '../system/bench-system.ts';

/** What the caller of the benchmarks wants of every part. */
export interface PartOptions {
  readonly repetitions: number;
  /** Seconds of each run under load. */
  readonly seconds: number;
  /** Events that are published at once. */
  readonly burst: number;
  /** Prints a line of progress. */
  readonly log: (line: string) => void;
  /** Adds a table to the report that explains the figures. */
  readonly explain: (breakdown: Breakdown) => void;
  /** Ends what the part has started when the run is interrupted. */
  readonly stop: AbortSignal;
}

/**
 * One part of the benchmarks. `onSystem` measures the running platform that all parts share; `alone` runs before it starts, and may
 * start a platform of its own.
 */
export type Part =
  | { readonly onSystem: (bench: BenchSystem, options: PartOptions) => Promise<readonly Finding[]> }
  | { readonly alone: (options: PartOptions) => Promise<readonly Finding[]> };
