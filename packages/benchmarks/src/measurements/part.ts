import type { Finding } from '../report/figures.ts';
import type { Breakdown } from '../report/report.ts';
import type { BenchSystem } from '../system/bench-system.ts';

export interface PartOptions {
  readonly repetitions: number;
  readonly seconds: number;
  readonly burst: number;
  readonly log: (line: string) => void;
  /** Adds a table to the report that explains the figures. */
  readonly explain: (breakdown: Breakdown) => void;
  /** Ends what the part has started when the run is interrupted. */
  readonly stop: AbortSignal;
}

/** One part of the benchmarks: `onSystem` measures the shared platform; `alone` runs before it starts, and may start its own. */
export type Part = {
  /** It takes so long that a run of all parts leaves it out. */
  readonly onlyByName?: true;
} & (
  | { readonly onSystem: (bench: BenchSystem, options: PartOptions) => Promise<readonly Finding[]> }
  | { readonly alone: (options: PartOptions) => Promise<readonly Finding[]> }
);
