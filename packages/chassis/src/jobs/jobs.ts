import { elapsedMs } from '../async/clock.ts';
import { createSignal, type Signal } from '../async/waiting.ts';
import type { Database } from '../database/database.ts';
import { type Log, withLogFields } from '../telemetry/log.ts';
import { nameEntryPoints } from '../telemetry/metric-labels.ts';
import { measure, observe } from '../telemetry/metrics.ts';
import { jobAttribute } from '../telemetry/skip-idle-jobs.ts';
import { freshTrace, inSpan } from '../telemetry/telemetry.ts';
import { claimDueJobs, registerJobs } from './claim-due-jobs.ts';

/**
 * Work that is due because time has passed. `run` must be safe to run late, twice, or halfway; a long one ends early once `stopped`.
 * Raising `signal` runs the job at once, on this replica; `run` must then share its work between replicas itself.
 */
export interface Job<Context> {
  readonly everySeconds: number;
  readonly run: (context: Context, stopped?: AbortSignal) => Promise<void>;
  readonly signal?: (context: Context) => Signal;
}

export type Jobs<Context> = Readonly<Record<string, Job<Context>>>;

/** Declares a job. Its name is its key in the service's `jobs`. */
export function job<Context>(
  everySeconds: number,
  run: (context: Context, stopped?: AbortSignal) => Promise<void>,
  signal?: (context: Context) => Signal,
): Job<Context> {
  return { everySeconds, run, ...(signal ? { signal } : {}) };
}

export interface JobsOptions<Context> {
  readonly database: Database;
  readonly jobs: Jobs<Context>;
  readonly context: Context;
  readonly log: Log;
  readonly timersHeld?: boolean;
}

/**
 * Runs each job when it is due by the database's clock, on the one replica that moves its row. One statement claims the due jobs and reads
 * the next due time, so an idle service sends nothing.
 */
export async function startJobs<Context>(options: JobsOptions<Context>): Promise<AsyncDisposable> {
  const stop = new AbortController();
  const jobs = Object.entries(options.jobs).map(([name, entry]) => scheduled(name, entry, options.context));
  nameEntryPoints(
    'corner.job',
    jobs.map(({ name }) => name),
  );
  const stopObserving = observe(['corner.job.last_success', 'corner.job.interval'], (report) => {
    for (const { name, everySeconds, succeededAt } of jobs) {
      report('corner.job.last_success', succeededAt / 1000, { 'corner.job': name });
      report('corner.job.interval', everySeconds, { 'corner.job': name });
    }
  });
  const ended = createSignal();
  const loops = jobs.map((job) => keepRunning(options, job, ended, stop.signal));
  if (!options.timersHeld) loops.push(keepClaiming(options, jobs, ended, stop.signal));
  return {
    async [Symbol.asyncDispose]() {
      stopObserving();
      stop.abort();
      for (const { start } of jobs) start.raise();
      ended.raise();
      await Promise.all(loops);
    },
  };
}

interface ScheduledJob<Context> extends Job<Context> {
  readonly name: string;
  readonly start: Signal;
  /** While it runs, this replica claims no further run, so that another may. */
  running: boolean;
  dueAt: number;
  succeededAt: number;
}

const scheduled = <Context>(name: string, entry: Job<Context>, context: Context): ScheduledJob<Context> => ({
  ...entry,
  name,
  start: entry.signal?.(context) ?? createSignal(),
  running: false,
  dueAt: elapsedMs() + firstLookMs,
  succeededAt: Date.now(),
});

const firstLookMs = 250;
const afterFaultMs = 1_000;

async function keepClaiming<Context>(
  { database, log }: JobsOptions<Context>,
  jobs: readonly ScheduledJob<Context>[],
  ended: Signal,
  stopped: AbortSignal,
): Promise<void> {
  let registered = false;
  while (!stopped.aborted) {
    const waitForEnd = ended.arm();
    const idle = jobs.filter(({ running }) => !running);
    const waitMs = Math.min(...idle.map(({ dueAt }) => dueAt - elapsedMs()));
    if (waitMs > 0) {
      await waitForEnd(waitMs === Number.POSITIVE_INFINITY ? undefined : Math.ceil(waitMs));
      continue;
    }
    try {
      if (!registered) await registerJobs(database, jobs);
      registered = true;
      await claimDue(database, idle);
    } catch (error) {
      log.error({ err: error }, 'jobs cannot be claimed: trying again');
      for (const job of idle) job.dueAt = elapsedMs() + afterFaultMs;
    }
  }
}

async function claimDue<Context>(database: Database, jobs: readonly ScheduledJob<Context>[]): Promise<void> {
  const claims = await claimDueJobs(database, jobs);
  const now = elapsedMs();
  for (const job of jobs) {
    const { claimed = false, due_in_ms = 0 } = claims.get(job.name) ?? {};
    // Due and not claimed: another replica has just claimed it, and this statement does not see its commit yet.
    job.dueAt = now + (due_in_ms > 0 ? due_in_ms : job.everySeconds * 1000);
    if (!claimed) continue;
    job.running = true;
    job.start.raise();
  }
}

async function keepRunning<Context>(
  { context, log }: JobsOptions<Context>,
  job: ScheduledJob<Context>,
  ended: Signal,
  stopped: AbortSignal,
): Promise<void> {
  for (let waitForStart = job.start.arm(); !stopped.aborted; ) {
    await waitForStart();
    if (stopped.aborted) return;
    waitForStart = job.start.arm();
    job.running = true;
    try {
      await runNow(job, context, stopped);
      job.succeededAt = Date.now();
    } catch (error) {
      log.error({ err: error, job: job.name }, 'a job failed: it runs again when next due');
    }
    job.running = false;
    ended.raise();
  }
}

async function runNow<Context>({ name, run }: ScheduledJob<Context>, context: Context, stopped: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  let outcome = 'failed';
  try {
    await inSpan(`job ${name}`, { parent: freshTrace(), attributes: { [jobAttribute]: name } }, () =>
      withLogFields({ job: name }, () => run(context, stopped)),
    );
    outcome = 'ok';
  } finally {
    measure('corner.job.duration', (performance.now() - startedAt) / 1000, { 'corner.job': name, 'corner.outcome': outcome });
  }
}
