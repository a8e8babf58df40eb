import type { BenchSystem } from './bench-system.ts';

export interface StatementUse {
  readonly service: string;
  readonly text: string;
  readonly calls: number;
  readonly ms: number;
  readonly blocks: number;
  readonly rows: number;
  readonly walBytes: number;
}

export async function statementUse({ database }: Pick<BenchSystem, 'database'>): Promise<ReadonlyMap<string, StatementUse>> {
  const { rows } = await database.query<StatementUse & { key: string }>(
    `select concat_ws(' ', s.userid, s.dbid, s.queryid, s.toplevel) as key, replace(r.rolname, 'corner_', '') as service,
       regexp_replace(s.query, '\\s+', ' ', 'g') as text, s.calls::float8, (s.total_exec_time + s.total_plan_time)::float8 as ms,
       (s.shared_blks_hit + s.shared_blks_read)::float8 as blocks, s.rows::float8, s.wal_bytes::float8 as "walBytes"
     from pg_stat_statements s join pg_roles r on r.oid = s.userid where r.rolname like 'corner\\_%'`,
  );
  return new Map(rows.map(({ key, ...use }) => [key, use]));
}

export function usedStatements(before: ReadonlyMap<string, StatementUse>, after: ReadonlyMap<string, StatementUse>): StatementUse[] {
  const since = (key: string, use: StatementUse): StatementUse => {
    const then = before.get(key);
    if (!then) return use;
    const { calls, ms, blocks, rows, walBytes } = use;
    return {
      ...use,
      calls: calls - then.calls,
      ms: ms - then.ms,
      blocks: blocks - then.blocks,
      rows: rows - then.rows,
      walBytes: walBytes - then.walBytes,
    };
  };
  return [...after]
    .map(([key, use]) => since(key, use))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.ms - a.ms);
}
