import { SecondsOfProcesses } from './seconds-of-processes.ts';

interface RunStart {
  readonly numTotalTestSuites: number;
}

/** A run with no more files prints no cost. */
const few = 20;
const lookMs = 2_000;

export default class RunCost {
  readonly #processes = new SecondsOfProcesses(process.pid);
  #looks: NodeJS.Timeout | undefined;

  onRunStart({ numTotalTestSuites }: RunStart): void {
    if (process.platform !== 'linux' || numTotalTestSuites <= few) return;
    this.#looks = setInterval(() => this.#processes.look(), lookMs).unref();
  }

  onRunComplete(): void {
    if (!this.#looks) return;
    clearInterval(this.#looks);
    this.#processes.look();
    process.stderr.write(`\n${describeCost(this.#processes.byKind(), this.#processes.unseen())}\n`);
  }
}

export function describeCost(byKind: ReadonlyMap<string, number>, unseen: number): string {
  const all = [...[...byKind].toSorted(([, a], [, b]) => b - a), ['not seen (ended between two looks)', unseen] as const];
  const total = all.reduce((sum, [, seconds]) => sum + seconds, 0);
  const lines = all.map(([name, seconds]) => `${Math.round(seconds).toString().padStart(7)} s  ${name}`);
  return [`The processor’s ${Math.round(total)} s by kind of process:`, ...lines].join('\n');
}
