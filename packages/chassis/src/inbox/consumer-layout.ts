import type pg from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import { NoColumns } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';

/**
 * The number of parts into which a service's events are divided. `parts` is the wanted number; `prepared` is the number of leases, which
 * differs until the replicas have finished with the former parts. `replicas` share the service's lock. `tokens` are of each part's newest
 * lease.
 */
export interface Layout {
  readonly parts: number;
  readonly prepared: number;
  readonly replicas: number;
  readonly tokens: readonly string[];
}

export async function readLayout(client: pg.Client, lock: string): Promise<Layout> {
  const { rows } = await client.query<Layout>({
    name: 'consumer-layout',
    text: `
      select l.parts, l.prepared, array(select token::text from consumer_lease order by part) as tokens,
        case when l.prepared = 1 then 1 else (
          select count(*)::int from pg_locks
          where locktype = 'advisory' and granted and objsubid = 1 and mode = 'ShareLock'
            and database = (select oid from pg_database where datname = current_database())
            and ((classid::bigint << 32) | objid::bigint) = hashtextextended($1, 0)) end as replicas
      from consumer_layout l`,
    values: [lock],
  });
  const [layout] = rows;
  if (!layout) throw new Error('consumer_layout has no row: the schema is not migrated');
  return layout;
}

/** Sets the wanted number of parts: the replicas change to it within seconds. */
export async function setParts(database: Queries, parts: number): Promise<void> {
  await database.query(sql.type(NoColumns)`update consumer_layout set parts = ${parts}`);
}

const Parts = z.object({ parts: z.number(), prepared: z.number() });

export const readParts = (database: Queries): Promise<z.output<typeof Parts>> =>
  database.one(sql.type(Parts)`select parts, prepared from consumer_layout`);

/** Waits for the transactions of former holders, and keeps new ones from beginning: they read their lease once the tables are free. */
const lockTables = 'lock table inbox, consumer_position, consumer_part in share row exclusive mode';

/**
 * Makes the leases of so many parts, none of which has a position yet. Call it under the service's exclusive lock: then no replica
 * consumes. If the wanted number changes meanwhile, the next look applies it.
 */
export async function prepareLayout(client: pg.Client, parts: number): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(lockTables);
    await client.query('delete from consumer_lease where part >= $1', [parts]);
    await client.query('insert into consumer_lease (part) select generate_series(0, $1 - 1) on conflict (part) do nothing', [parts]);
    await client.query('update consumer_lease set token = gen_random_uuid()');
    await client.query(`
      update consumer_position w set clean = w.clean and p.clean
      from (select producer, bool_and(clean) as clean from consumer_part group by producer) p where p.producer = w.producer`);
    await client.query('delete from consumer_part');
    await client.query('update consumer_layout set prepared = $1', [parts]);
  });
}

export async function drawToken(client: pg.Client, part: number): Promise<string> {
  return await inTransaction(client, async () => {
    await client.query(lockTables);
    const { rows } = await client.query<{ token: string }>(
      'update consumer_lease set token = gen_random_uuid() where part = $1 returning token',
      [part],
    );
    const [row] = rows;
    if (!row) throw new Error('consumer_lease has no row of this part: the schema is not migrated');
    return row.token;
  });
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
