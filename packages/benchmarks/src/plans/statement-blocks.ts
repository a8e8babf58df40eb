import { services } from '@corner/contracts';
import type pg from 'pg';

/** The blocks that one statement of a service touched on average. */
export interface StatementBlocks {
  /** The service and the beginning of the text. */
  readonly statement: string;
  readonly calls: number;
  readonly perCall: number;
}

/** Reads them from pg_stat_statements, since its last reset. */
export async function blocksOfStatements(database: Pick<pg.Pool, 'query'>): Promise<readonly StatementBlocks[]> {
  const { rows } = await database.query<StatementBlocks>(
    `select substr(r.rolname, 8) || ' ' || left(regexp_replace(s.query, '\\s+', ' ', 'g'), 80) || ' #' || s.queryid as statement, sum(s.calls)::float8 as calls,
       (sum(s.shared_blks_hit + s.shared_blks_read) / sum(s.calls))::float8 as "perCall"
     from pg_stat_statements s join pg_roles r on r.oid = s.userid
     where r.rolname = any($1) group by 1`,
    [services.map((service) => `corner_${service}`)],
  );
  return rows;
}
