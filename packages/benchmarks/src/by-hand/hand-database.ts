import pg from 'pg';
import { makeOwnDatabase } from '../system/own-database.ts';

export interface HandDatabase extends AsyncDisposable {
  readonly url: string;
  analyze(): Promise<void>;
}

/**
 * Makes the hand-written side's own database by the service's migration program, so that it has every index; a test compares both. A
 * separate database is not counted as the services'. Disposal drops it.
 */
export async function makeHandDatabase(databaseUrl: string, database: pg.Pool, name = 'corner_by_hand'): Promise<HandDatabase> {
  const own = await makeOwnDatabase({ databaseUrl, database }, 'orders', name);
  try {
    for (const table of ['store', 'menu_item']) {
      const { rows } = await database.query<{ rows: string }>(`select coalesce(jsonb_agg(t), '[]')::text as rows from orders.${table} t`);
      await onUrl(own.url, `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [rows[0]?.rows]);
    }
  } catch (error) {
    await own[Symbol.asyncDispose]();
    throw error;
  }
  return { url: own.url, analyze: () => onUrl(own.url, 'analyze'), [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() };
}

async function onUrl(url: string, statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}
