import type { ServiceName } from '@corner/contracts';
import pg from 'pg';

export interface ServiceCopy {
  putBack(): Promise<void>;
}

interface Table {
  readonly name: string;
  readonly columns: string;
}

interface Sequence {
  readonly name: string;
  readonly last: string | null;
}

export async function copyService(databaseUrl: string, service: ServiceName): Promise<ServiceCopy> {
  const copy = `copy_of_${service}`;
  const { tables, sequences } = await inTransaction(databaseUrl, async (client) => {
    await client.query(`drop schema if exists ${copy} cascade; create schema ${copy}`);
    const found = await tablesOf(client, service);
    for (const { name, columns } of found)
      await client.query(`create table ${copy}."${name}" as select ${columns} from ${service}."${name}"`);
    return { tables: found, sequences: await sequencesOf(client, service) };
  });
  return {
    putBack: () =>
      inTransaction(databaseUrl, async (client) => {
        await client.query('set local session_replication_role = replica');
        await client.query(`truncate ${tables.map(({ name }) => `${service}."${name}"`).join(', ')}`);
        for (const { name, columns } of tables)
          await client.query(
            `insert into ${service}."${name}" (${columns}) overriding system value select ${columns} from ${copy}."${name}"`,
          );
        for (const { name, last } of sequences)
          await client.query(`select setval($1, coalesce($2::bigint, 1), $2::bigint is not null)`, [`${service}."${name}"`, last]);
        await client.query(`drop schema ${copy} cascade`);
      }),
  };
}

async function tablesOf(client: pg.Client, service: ServiceName): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = $1::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname`,
    [service],
  );
  return rows;
}

async function sequencesOf(client: pg.Client, service: ServiceName): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    'select sequencename as name, last_value::text as last from pg_sequences where schemaname = $1',
    [service],
  );
  return rows;
}

async function inTransaction<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read');
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    await client.end();
  }
}
