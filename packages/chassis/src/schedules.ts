import { sql } from 'slonik';
import { z } from 'zod';
import { type Bell, createBell } from './bell.ts';
import type { Database } from './database.ts';
import type { Log } from './log.ts';
import { measure, observe } from './metrics.ts';
import { nameDoors } from './metrics-catalog.ts';
import { freshTrace, inSpan } from './telemetry.ts';

/** What a service does because time has passed. Safe to run late, twice, or halfway. */
export interface Schedule<Context> {
  readonly everySeconds: number;
  readonly run: (context: Context) => Promise<void>;
  /** Whoever rings it need not wait until the schedule is due; what `run` works on is then shared between replicas. */
  readonly bell?: (context: Context) => Bell;
}

export type Schedules<Context> = Readonly<Record<string, Schedule<Context>>>;

/** A schedule under its name in the table of schedules. */
export function schedule<Context>(
  everySeconds: number,
  run: (context: Context) => Promise<void>,
  bell?: (context: Context) => Bell,
): Schedule<Context> {
  return { everySeconds, run, ...(bell ? { bell } : {}) };
}

export interface SchedulingOptions<Context> {
  readonly database: Database;
  readonly schedules: Schedules<Context>;
  readonly context: Context;
  readonly log: Log;
}

/** Runs each schedule when it is due, on one replica: the one that moves its row. The database's clock decides, not ours. */
export async function startSchedules<Context>(options: SchedulingOptions<Context>): Promise<AsyncDisposable> {
  const stop = new AbortController();
  const succeeded = new Map(Object.keys(options.schedules).map((name) => [name, Date.now()]));
  nameDoors('corner.schedule', succeeded.keys());
  const blind = observe(['corner.schedule.last_success', 'corner.schedule.interval'], (say) => {
    for (const [name, { everySeconds }] of Object.entries(options.schedules)) {
      say('corner.schedule.last_success', (succeeded.get(name) ?? 0) / 1000, { 'corner.schedule': name });
      say('corner.schedule.interval', everySeconds, { 'corner.schedule': name });
    }
  });
  const loops = Object.entries(options.schedules).map(([name, entry]) =>
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
  entry: Schedule<Context>,
  ended: () => void,
  stopped: AbortSignal,
): Promise<void> {
  const bell = entry.bell?.(options.context) ?? createBell();
  stopped.addEventListener('abort', bell.ring, { once: true });
  for (let rung = bell.armed(); !stopped.aborted; ) {
    // Replicas look a few times a period, so that one that dies is stood in for soon.
    const called = await rung(Math.min(entry.everySeconds * 250, 5_000) * (0.75 + Math.random() / 2));
    if (stopped.aborted) return;
    rung = bell.armed();
    try {
      if (!called && !(await isDue(options.database, name, entry.everySeconds))) continue;
      await runNow(options, name, entry);
      ended();
    } catch (error) {
      options.log.error({ err: error, schedule: name }, 'a schedule failed: it runs again when next due');
    }
  }
}

async function isDue(database: Database, name: string, everySeconds: number): Promise<boolean> {
  const moved = await database.maybeOne(sql.type(z.object({ name: z.string() }))`
    insert into schedule (name, next_at) values (${name}, clock_timestamp() + make_interval(secs => ${everySeconds}))
    on conflict (name) do update set next_at = excluded.next_at where schedule.next_at <= clock_timestamp()
    returning name`);
  return moved !== null;
}

async function runNow<Context>({ context }: SchedulingOptions<Context>, name: string, entry: Schedule<Context>): Promise<void> {
  const begunAt = performance.now();
  let outcome = 'failed';
  try {
    await inSpan(`schedule ${name}`, { parent: freshTrace() }, () => entry.run(context));
    outcome = 'ok';
  } finally {
    measure('corner.schedule.duration', (performance.now() - begunAt) / 1000, { 'corner.schedule': name, 'corner.outcome': outcome });
  }
}
