import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { NoColumns } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

interface Scheduled {
  readonly name: string;
  readonly everySeconds: number;
}

const Claim = z.object({ name: z.string(), claimed: z.boolean(), due_in_ms: z.number() });

/** `claimed`: this replica runs the job now. `due_in_ms` is 0 or below when another replica has just claimed it. */
export type Claim = z.output<typeof Claim>;

export async function registerJobs(database: Database, jobs: readonly Scheduled[]): Promise<void> {
  await database.query(sql.prepared('register-jobs', NoColumns)`
    insert into job (name, next_at)
    select name, clock_timestamp() + make_interval(secs => least(seconds / 4, 5) * (0.75 + random() / 2))
    from ${listOf(jobs)}
    on conflict do nothing`);
}

/** Moves due jobs to their next time. Returns all claims by name. Lock order: rows by name. */
export async function claimDueJobs(database: Database, jobs: readonly Scheduled[]): Promise<ReadonlyMap<string, Claim>> {
  const names = sql.array(
    jobs.map(({ name }) => name),
    'text',
  );
  const rows = await database.any(sql.prepared('claim-jobs', Claim)`
    with due as (
      select name from job where name = any(${names}) and next_at <= clock_timestamp() order by name for update
    ), claimed as (
      update job set next_at = clock_timestamp() + make_interval(secs => listed.seconds)
      from due, ${listOf(jobs)}
      where job.name = due.name and listed.name = due.name
      returning job.name, job.next_at
    )
    select job.name, claimed.name is not null as claimed,
      (1000 * extract(epoch from coalesce(claimed.next_at, job.next_at) - clock_timestamp()))::float8 as due_in_ms
    from job left join claimed using (name) where job.name = any(${names})`);
  return new Map(rows.map((row) => [row.name, row]));
}

const listOf = (jobs: readonly Scheduled[]): FragmentSqlToken => sql.fragment`
  unnest(${sql.array(
    jobs.map(({ name }) => name),
    'text',
  )}, ${sql.array(
    jobs.map(({ everySeconds }) => everySeconds),
    'float8',
  )}) as listed(name, seconds)`;
