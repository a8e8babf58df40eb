import type { Finding } from '../report/figures.ts';
import type { Breakdown } from '../report/report.ts';
import type { BenchSystem } from '../system/bench-system.ts';

export interface PartOptions {
  readonly repetitions: number;
  readonly seconds: number;
  readonly burst: number;
  readonly log: (line: string) => void;
  readonly explain: (breakdown: Breakdown) => void;
  readonly stop: AbortSignal;
}

export type Part = {
  readonly onlyByName?: true;
} & (
  | { readonly onSystem: (bench: BenchSystem, options: PartOptions) => Promise<readonly Finding[]> }
  | { readonly alone: (options: PartOptions) => Promise<readonly Finding[]> }
);
