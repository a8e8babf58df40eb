import type pg from 'pg';

/** Resets pg_stat_statements, which the server must have loaded. */
export async function countStatements(database: pg.Pool): Promise<void> {
  await database.query('create extension if not exists pg_stat_statements');
  await database.query('select pg_stat_statements_reset()');
}

/** The statements that took most time since the reset, one a line: total milliseconds, calls, microseconds per call, role, text. */
export async function costliestStatements(database: pg.Pool, count = 15): Promise<string[]> {
  const { rows } = await database.query<{ role: string; total: number; calls: number; each: number; query: string }>(
    `select userid::regrole::text as role, (total_exec_time + total_plan_time)::float8 as total, calls::int,
       ((total_exec_time + total_plan_time) * 1000 / calls)::float8 as each, left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as query
     from pg_stat_statements where query !~ 'pg_stat_statements' order by 2 desc limit $1`,
    [count],
  );
  return rows.map(
    ({ role, total, calls, each, query }) =>
      `${total.toFixed(0).padStart(7)} ms ${String(calls).padStart(7)} × ${each.toFixed(0).padStart(6)} µs  ${role.replace('corner_', '').padEnd(9)} ${query}`,
  );
}
