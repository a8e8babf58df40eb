import { services } from '@corner/contracts';
import { until } from '@corner/testkit';
import type pg from 'pg';
import { untilSettled } from '../testing/settled.ts';
import type { TestEnvironment } from '../testing/test-environment.ts';

/** Tables that the platform writes on its own, and the two records of a refusal: its log entry and the response stored under its key. */
const machinery: ReadonlySet<string> = new Set([
  'relay_incarnation',
  'relay_batch',
  'relay_state',
  'inbox',
  'consumer_lease',
  'consumer_position',
  'consumer_part',
  'snapshot_version',
  'delivery_attempt',
  'job',
  'idempotency_key',
  'refusal',
  'provider_cursor',
  'stream_position',
]);

export type Snapshot = Readonly<Record<string, string>>;

/** Hashes the rows of every table, outboxes included, the books of the payment provider and the inbox. */
export async function readEverything({ system }: TestEnvironment, database: pg.Client): Promise<Snapshot> {
  const { rows: tables } = await database.query<{ schema: string; name: string }>(
    'select schemaname as schema, tablename as name from pg_tables where schemaname = any($1) order by 1, 2',
    [services],
  );
  const seen: Record<string, string> = {};
  for (const { schema, name } of tables.filter((table) => !machinery.has(table.name))) {
    const { rows } = await database.query<{ rows: string }>(
      `select count(*) || ' rows ' || md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as rows from ${schema}.${name} t`,
    );
    seen[`${schema}.${name}`] = rows[0]?.rows ?? '';
  }
  seen['payment provider'] = await (await fetch(`${system.paymentsUrl}/_sim/books`)).text();
  seen.inbox = await (await fetch(`${system.messagesUrl}/inbox.json`)).text();
  return seen;
}

export async function untilQuiet(environment: TestEnvironment, database: pg.Client): Promise<Snapshot> {
  await untilSettled(environment);
  let before = '';
  return await until(
    async () => {
      const seen = await readEverything(environment, database);
      const [earlier, now] = [before, JSON.stringify(seen)];
      before = now;
      return now === earlier && seen;
    },
    { describe: 'nothing to change any more' },
  );
}
