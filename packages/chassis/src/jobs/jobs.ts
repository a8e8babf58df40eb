import { sql } from 'slonik';
import { z } from 'zod';
import { createSignal, type Signal } from '../async/signal.ts';
import type { Database } from '../database/database.ts';
import type { Log } from '../telemetry/log.ts';
import { nameEntryPoints } from '../telemetry/metric-labels.ts';
import { measure, observe } from '../telemetry/metrics.ts';
import { freshTrace, inSpan } from '../telemetry/telemetry.ts';

/** What a service does because time has passed. `run` must be safe to run late, twice, or halfway. */
export interface Job<Context> {
  readonly everySeconds: number;
  readonly run: (context: Context) => Promise<void>;
  /** Raising it runs the job at once, on this replica. `run` must then share its work between replicas itself. */
  readonly signal?: (context: Context) => Signal;
}

export type Jobs<Context> = Readonly<Record<string, Job<Context>>>;

/** Declares a job. Its name is its key in the service's `jobs`. */
export function job<Context>(
  everySeconds: number,
  run: (context: Context) => Promise<void>,
  signal?: (context: Context) => Signal,
): Job<Context> {
  return { everySeconds, run, ...(signal ? { signal } : {}) };
}

export interface JobsOptions<Context> {
  readonly database: Database;
  readonly jobs: Jobs<Context>;
  readonly context: Context;
  readonly log: Log;
}

/** Runs each job when it is due, on one replica: the one that moves the job's row. The database's clock decides. */
export async function startJobs<Context>(options: JobsOptions<Context>): Promise<AsyncDisposable> {
  const stop = new AbortController();
  const succeededAt = new Map(Object.keys(options.jobs).map((name) => [name, Date.now()]));
  nameEntryPoints('corner.job', succeededAt.keys());
  const stopObserving = observe(['corner.job.last_success', 'corner.job.interval'], (report) => {
    for (const [name, { everySeconds }] of Object.entries(options.jobs)) {
      report('corner.job.last_success', (succeededAt.get(name) ?? 0) / 1000, { 'corner.job': name });
      report('corner.job.interval', everySeconds, { 'corner.job': name });
    }
  });
  const loops = Object.entries(options.jobs).map(([name, entry]) =>
    keepRunning(options, { ...entry, name, onSuccess: () => succeededAt.set(name, Date.now()) }, stop.signal),
  );
  return {
    async [Symbol.asyncDispose]() {
      stopObserving();
      stop.abort();
      await Promise.all(loops);
    },
  };
}

interface ScheduledJob<Context> extends Job<Context> {
  readonly name: string;
  readonly onSuccess: () => void;
}

async function keepRunning<Context>(
  { database, context, log }: JobsOptions<Context>,
  scheduled: ScheduledJob<Context>,
  stopped: AbortSignal,
): Promise<void> {
  const { name, everySeconds } = scheduled;
  const signal = scheduled.signal?.(context) ?? createSignal();
  stopped.addEventListener('abort', signal.raise, { once: true });
  for (let waitForSignal = signal.arm(); !stopped.aborted; ) {
    // Every replica checks a few times a period, so another soon takes over from one that dies.
    const raised = await waitForSignal(Math.min(everySeconds * 250, 5_000) * (0.75 + Math.random() / 2));
    if (stopped.aborted) return;
    waitForSignal = signal.arm();
    try {
      if (!raised && !(await isDue(database, name, everySeconds))) continue;
      await runNow(scheduled, context);
      scheduled.onSuccess();
    } catch (error) {
      log.error({ err: error, job: name }, 'a job failed: it runs again when next due');
    }
  }
}

/** Returns true on the one replica that moved the job's row to its next time. */
async function isDue(database: Database, name: string, everySeconds: number): Promise<boolean> {
  const moved = await database.maybeOne(sql.type(z.object({ name: z.string() }))`
    insert into job (name, next_at) values (${name}, clock_timestamp() + make_interval(secs => ${everySeconds}))
    on conflict (name) do update set next_at = excluded.next_at where job.next_at <= clock_timestamp()
    returning name`);
  return moved !== null;
}

async function runNow<Context>({ name, run }: ScheduledJob<Context>, context: Context): Promise<void> {
  const startedAt = performance.now();
  let outcome = 'failed';
  try {
    await inSpan(`job ${name}`, { parent: freshTrace() }, () => run(context));
    outcome = 'ok';
  } finally {
    measure('corner.job.duration', (performance.now() - startedAt) / 1000, { 'corner.job': name, 'corner.outcome': outcome });
  }
}
