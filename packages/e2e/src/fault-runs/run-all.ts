import { cp, glob, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeMachine } from '@corner/benchmarks/report';
import { checkout } from '@corner/sandbox/system';
import type { Fault } from './fault.ts';
import type { Report } from './report.ts';
import { type FaultRun, runFault } from './run-fault.ts';
import { type Stage, startStage } from './stage.ts';

/** The comparison grows with the platform's history, so a platform is replaced after this many seeds. */
const seedsOfAStage = 5;

interface AllOptions {
  readonly perSecond: number;
  readonly seconds: number;
  /** Milliseconds in which everything must have settled. The job that finds lost events runs every two minutes. */
  readonly settleMs: number;
  readonly events: number;
  readonly log: (line: string) => void;
  readonly stopped: AbortSignal;
}

type Results = Pick<Report, 'machine' | 'runs' | 'failed'>;

/** Starts a new platform after several seeds and after one with findings. */
export async function runAll(chosen: readonly Fault[], seeds: readonly number[], options: AllOptions): Promise<Results> {
  const { log, stopped } = options;
  const runs: FaultRun[] = [];
  const failed: { fault: string; seed: number; why: string }[] = [];
  let stage: Stage | null = null;
  let used = 0;
  let machine = describeMachine(null);
  const endStage = async () => {
    await stage?.[Symbol.asyncDispose]();
    stage = null;
    used = 0;
  };
  const keep = async ({ folder }: Stage, fault: Fault, seed: number) => {
    const kept = `${checkout}/.corner/found/${fault.name.replaceAll(/[^a-z]+/gi, '-')}-${seed}`;
    await keepLogs(folder, kept);
    log(`the logs are in ${kept}`);
  };
  try {
    for (const fault of chosen) {
      for (const seed of seeds) {
        if (stopped.aborted) return { machine, runs, failed };
        if (stage?.kind !== fault.on || used >= seedsOfAStage) await endStage();
        try {
          stage ??= await startStage(fault.on);
          machine = describeMachine(stage.system);
          used += 1;
          const run: FaultRun = await runFault(stage, fault, seed, options);
          runs.push(run);
          log(lineOf(run));
          if (run.breaches.length > 0) await keep(stage, fault, seed);
          if (run.breaches.length > 0 || run.forgotten) await endStage();
        } catch (error) {
          const why = error instanceof Error ? [error.message, error.cause].filter(Boolean).join(': ') : String(error);
          failed.push({ fault: fault.name, seed, why });
          log(`${fault.name}, seed ${seed}: ${why}`);
          if (stage) await keep(stage, fault, seed);
          await endStage();
        }
      }
    }
  } finally {
    await endStage();
  }
  return { machine, runs, failed };
}

function lineOf({
  fault,
  seed,
  accepted,
  refused,
  unanswered,
  repeated,
  faultSeconds,
  settleSeconds,
  latenciesMs,
  breaches,
  codes,
  catchUp,
  notes,
}: FaultRun): string {
  const settled = settleSeconds === null ? 'not settled' : `settled in ${settleSeconds.toFixed(1)} s`;
  const seconds = (time: number | null) => (time === null ? 'never' : `${time.toFixed(1)} s`);
  const processed = `processed after ${seconds(catchUp.processedSeconds)}, a new event after ${seconds(catchUp.newEventSeconds)}`;
  const noted = notes.map((sentence) => `\n  ${sentence}`);
  const found = breaches.slice(0, 5).map(({ kind, invariant, detail }) => `\n  ${kind}: ${invariant}: ${detail}`);
  const refusals = Object.keys(codes).length > 0 ? ` ${JSON.stringify(codes)}` : '';
  return (
    `${fault}, seed ${seed}: ${accepted} accepted, ${refused} refused, ${unanswered} unanswered, ${repeated} repeated; ` +
    `${faultSeconds.toFixed(1)} s, worst ${Math.max(0, ...latenciesMs)} ms; ${processed}; ${settled}; ` +
    `${breaches.length} breaches${refusals}${[...noted, ...found].join('')}`
  );
}

export async function keepLogs(folder: string, kept: string): Promise<void> {
  await rm(kept, { recursive: true, force: true });
  for await (const file of glob('**/*.log', { cwd: folder })) await cp(join(folder, file), join(kept, file));
}
