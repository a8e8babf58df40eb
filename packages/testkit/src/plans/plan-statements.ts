import type pg from 'pg';
import { withClient } from '../run-database.ts';
import type { TestDatabase } from '../test-database.ts';
import { type PlanNode, type WholeScan, wholeScans } from './whole-scans.ts';

export type Statements = ReadonlyMap<string, string>;

export interface PlannedScan extends WholeScan {
  readonly by: string;
}

/**
 * The number of rows that the planner assumes in each table; null as on a table that was never analyzed. On `drained` tables it also
 * believes that partial indexes are empty: such an index often covers open work, and an analysis may come when there is none.
 */
const sizes = { empty: null, young: 100, large: 1_000_000, drained: 1_000_000 } as const;

export async function planStatements(database: TestDatabase, schema: string, statements: Statements): Promise<PlannedScan[]> {
  return await withClient(database.adminUrl, (admin) =>
    withClient(database.url, async (client) => {
      const found: PlannedScan[] = [];
      for (const [size, rows] of Object.entries(sizes)) {
        await believe(admin, schema, rows);
        if (size === 'drained') await admin.query(noneInPartialIndexes, [schema]);
        for (const [text, name] of statements) {
          for (const scan of wholeScans(await planOf(client, text))) {
            found.push({ of: scan.of, by: name, text: `${name}, planned on ${size} tables: ${scan.text}` });
          }
        }
      }
      return found;
    }),
  );
}

async function planOf(client: pg.Client, text: string): Promise<PlanNode> {
  const { rows } = await client.query(`explain (generic_plan, format json) ${text.replaceAll('$slonik_', '$')}`);
  return rows[0]['QUERY PLAN'][0].Plan;
}

/** A page has this many rows; on a large table ten rows share a value. */
async function believe(admin: pg.Client, schema: string, rows: number | null): Promise<void> {
  const tables = `from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'r'`;
  await admin.query(`delete from pg_statistic where starelid in (select c.oid ${tables})`, [schema]);
  if (rows === null) {
    await admin.query(`select pg_clear_relation_stats($1, c.relname) ${tables}`, [schema]);
    return;
  }
  const call = `pg_restore_relation_stats('schemaname', $1::text, 'relname', c.relname::text, 'relpages', 1, 'reltuples', $2::real)`;
  await admin.query(`select ${call} ${tables}`, [schema, rows]);
  if (rows === sizes.large) await admin.query(sharedValues, [schema]);
}

const noneInPartialIndexes = `
  select pg_restore_attribute_stats('schemaname', $1::text, 'relname', c.relname::text, 'attname', a.attname::text, 'inherited', false,
    'null_frac', 0::real, 'avg_width', 8, 'n_distinct', 1::real,
    'most_common_vals', case a.atttypid when 'bool'::regtype then '{f}' else '{~}' end, 'most_common_freqs', '{1}'::real[])
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = $1::regnamespace and a.atttypid in ('text'::regtype, 'bool'::regtype)
    and exists (
      select from pg_index i join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid and d.refobjid = c.oid and d.refobjsubid = a.attnum
      where i.indrelid = c.oid and i.indpred is not null)
    and not exists (select from pg_index i where i.indrelid = c.oid and a.attnum = any(i.indkey))`;

const sharedValues = `
  select pg_restore_attribute_stats('schemaname', $1::text, 'relname', c.relname::text, 'attname', a.attname::text, 'inherited', false,
    'null_frac', 0::real, 'avg_width', 16, 'n_distinct', -0.1::real)
  from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_index i on i.indexrelid = c.oid
  where c.relnamespace = $1::regnamespace and a.attnum > 0 and not a.attisdropped
    and (c.relkind = 'r' or c.relkind = 'i' and i.indkey[a.attnum - 1] = 0)`;
