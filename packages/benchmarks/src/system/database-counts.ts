import { requiredServices } from '@corner/contracts';
import type { BenchSystem } from './bench-system.ts';

export interface DatabaseCounts {
  readonly statements: number;
  readonly commits: number;
  readonly fsyncs: number;
  readonly walBytes: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  /** Rewritten rows, and those of them that needed no new index entry (HOT). */
  readonly updates: number;
  readonly hotUpdates: number;
}

/** Milliseconds that an idle connection may hold back its counts: Postgres' PGSTAT_IDLE_INTERVAL and a little. */
export const countsAreCompleteAfterMs = 10_500;

const roles = requiredServices.map((service) => `corner_${service}`);

/**
 * Statements and commits include reads, BEGIN and COMMIT; the log's bytes are the whole server's. Counts of the last ten seconds may be
 * missing, except `statements` and `walBytes`.
 */
export async function databaseCounts({ database }: BenchSystem): Promise<DatabaseCounts> {
  const { rows } = await database.query<DatabaseCounts>({ name: 'database-counts', text: query, values: [roles, requiredServices] });
  if (!rows[0]) throw new Error('no counts');
  return rows[0];
}

const query = `
  select (select coalesce(sum(s.calls), 0)::float8 from pg_stat_statements s join pg_roles r on r.oid = s.userid where r.rolname = any($1)) as statements,
    (select d.xact_commit - (select coalesce(sum(s.calls), 0) from pg_stat_statements s join pg_roles r on r.oid = s.userid
       where s.dbid = d.datid and r.rolname <> all($1)) from pg_stat_database d where d.datname = current_database())::float8 as commits,
    (select coalesce(sum(io.fsyncs), 0)::float8 from pg_stat_activity a, pg_stat_get_backend_io(a.pid) io
     where a.usename = any($1) and io.object = 'wal') as fsyncs,
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes",
    coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::float8 as "rowsRead",
    coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::float8 as "rowsWritten",
    coalesce(sum(n_tup_upd), 0)::float8 as updates, coalesce(sum(n_tup_hot_upd), 0)::float8 as "hotUpdates"
  from pg_stat_user_tables where schemaname = any($2)`;
