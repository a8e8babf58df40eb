import { sql } from 'slonik';
import { z } from 'zod';
import { createSignal, type Signal } from '../async/signal.ts';
import type { Database } from '../database/database.ts';
import type { Log } from '../telemetry/log.ts';
import { measure, observe } from '../telemetry/metrics.ts';
import { nameEntryPoints } from '../telemetry/metrics-catalog.ts';
import { freshTrace, inSpan } from '../telemetry/telemetry.ts';

/** What a service does because time has passed. Safe to run late, twice, or halfway. */
export interface Job<Context> {
  readonly everySeconds: number;
  readonly run: (context: Context) => Promise<void>;
  /** Whoever rings it need not wait until the schedule is due; what `run` works on is then shared between replicas. */
  readonly signal?: (context: Context) => Signal;
}

export type Jobs<Context> = Readonly<Record<string, Job<Context>>>;

/** A schedule under its name in the table of schedules. */
export function job<Context>(
  everySeconds: number,
  run: (context: Context) => Promise<void>,
  signal?: (context: Context) => Signal,
): Job<Context> {
  return { everySeconds, run, ...(signal ? { signal } : {}) };
}

export interface SchedulingOptions<Context> {
  readonly database: Database;
  readonly jobs: Jobs<Context>;
  readonly context: Context;
  readonly log: Log;
}

/** Runs each schedule when it is due, on one replica: the one that moves its row. The database's clock decides, not ours. */
export async function startJobs<Context>(options: SchedulingOptions<Context>): Promise<AsyncDisposable> {
  const stop = new AbortController();
  const succeeded = new Map(Object.keys(options.jobs).map((name) => [name, Date.now()]));
  nameEntryPoints('corner.job', succeeded.keys());
  const blind = observe(['corner.job.last_success', 'corner.job.interval'], (say) => {
    for (const [name, { everySeconds }] of Object.entries(options.jobs)) {
      say('corner.job.last_success', (succeeded.get(name) ?? 0) / 1000, { 'corner.job': name });
      say('corner.job.interval', everySeconds, { 'corner.job': name });
    }
  });
  const loops = Object.entries(options.jobs).map(([name, entry]) =>
    keepRunning(options, name, entry, () => succeeded.set(name, Date.now()), stop.signal),
  );
  return {
    async [Symbol.asyncDispose]() {
      blind();
      stop.abort();
      await Promise.all(loops);
    },
  };
}

async function keepRunning<Context>(
  options: SchedulingOptions<Context>,
  name: string,
  entry: Job<Context>,
  ended: () => void,
  stopped: AbortSignal,
): Promise<void> {
  const signal = entry.signal?.(options.context) ?? createSignal();
  stopped.addEventListener('abort', signal.raise, { once: true });
  for (let rung = signal.arm(); !stopped.aborted; ) {
    // Replicas look a few times a period, so that one that dies is stood in for soon.
    const called = await rung(Math.min(entry.everySeconds * 250, 5_000) * (0.75 + Math.random() / 2));
    if (stopped.aborted) return;
    rung = signal.arm();
    try {
      if (!called && !(await isDue(options.database, name, entry.everySeconds))) continue;
      await runNow(options, name, entry);
      ended();
    } catch (error) {
      options.log.error({ err: error, job: name }, 'a job failed: it runs again when next due');
    }
  }
}

async function isDue(database: Database, name: string, everySeconds: number): Promise<boolean> {
  const moved = await database.maybeOne(sql.type(z.object({ name: z.string() }))`
    insert into job (name, next_at) values (${name}, clock_timestamp() + make_interval(secs => ${everySeconds}))
    on conflict (name) do update set next_at = excluded.next_at where job.next_at <= clock_timestamp()
    returning name`);
  return moved !== null;
}

async function runNow<Context>({ context }: SchedulingOptions<Context>, name: string, entry: Job<Context>): Promise<void> {
  const begunAt = performance.now();
  let outcome = 'failed';
  try {
    await inSpan(`job ${name}`, { parent: freshTrace() }, () => entry.run(context));
    outcome = 'ok';
  } finally {
    measure('corner.job.duration', (performance.now() - begunAt) / 1000, { 'corner.job': name, 'corner.outcome': outcome });
  }
}
