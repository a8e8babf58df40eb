import { services } from '@corner/contracts';
import type pg from 'pg';

export async function keepHistory(client: pg.Client): Promise<void> {
  await client.query('create schema history');
  for (const table of await tablesOf(client)) {
    await client.query(`create table history."${table.schema} ${table.name}" as table ${table.schema}.${table.name}`);
  }
}

/**
 * Inserts the kept rows `times` more times, as orders of other customers: every id but a store's is replaced. All work must be settled.
 * Events keep their transaction's id, so no relay publishes them.
 */
export async function multiplyHistory(client: pg.Client, times: number): Promise<void> {
  await client.query('begin; set local session_replication_role = replica');
  for (const { schema, name, columns } of await tablesOf(client)) {
    const values = columns.map(
      ({ column, type, keyed }) =>
        (name === 'topic' && ofTopic[column]) || copied(`"${column}"`, type === 'uuid' && column !== 'store_id', keyed),
    );
    await client.query(`
      insert into ${schema}.${name} (${columns.map(({ column }) => `"${column}"`).join(', ')})
      select ${values.join(', ')} from history."${schema} ${name}" cross join generate_series(1, ${times}) k
      on conflict do nothing`);
  }
  await client.query('commit');
}

function copied(column: string, isId: boolean, isKey: boolean): string {
  if (isId) return `md5(${column}::text || k)::uuid`;
  if (!isKey) return column;
  const other = `left(${column}, -least(5, length(${column}))) || right('00000' || k, least(5, length(${column})))`;
  return `case when ${column} ~ '[0-9]' then ${other} else ${column} end`;
}

const ofTopic: Readonly<Record<string, string>> = {
  due_at: 'null',
  lease_token: 'null',
  lease_holder: 'null',
  lease_expires_at: 'null',
  updated_at: "updated_at - k * interval '1 second'",
};

const notHistory = [
  'store',
  'store_account',
  'menu',
  'menu_item',
  'promo',
  'slot',
  'slot_list',
  'programme',
  'staff',
  'tag',
  'contact',
  'floor',
  'booking',
  'pass_design',
  'pass_update_counter',
  'provider_cursor',
];

interface Table {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly { readonly column: string; readonly type: string; readonly keyed: boolean }[];
}

async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, jsonb_agg(jsonb_build_object('column', a.attname, 'type', format_type(a.atttypid, null),
       'keyed', a.atttypid = 'text'::regtype and (a.attname = 'topic' or exists (
         select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey::int2[])))) order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where n.nspname = any($1) and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attidentity = '' and a.attgenerated = ''
       and c.relname !~ '^relay_|^job$|_migrations$' and c.relname <> all($2)
     group by 1, 2`,
    [services, notHistory],
  );
  return rows;
}
