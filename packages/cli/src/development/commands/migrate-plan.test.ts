import { readdirSync } from 'node:fs';
import { emptyDatabase } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { checkout } from '../../options.ts';
import { runCommandLine } from '../../run-command-line.ts';
import { runCorner } from '../../testing/run-corner.ts';

const plan = (...args: readonly string[]) => runCorner(['migrate', 'plan', '--service', 'queue', ...args], process.env);
const namesIn = (folder: string) => readdirSync(`${checkout}/${folder}`).map((file) => file.replace(/\.sql$/, ''));

async function halfMigrated(client: pg.Client): Promise<void> {
  await client.query('create schema queue');
  for (const table of ['backbone_migrations', 'service_migrations']) await client.query(`create table queue.${table} (name text)`);
  await client.query('insert into queue.backbone_migrations select unnest($1::text[])', [namesIn('packages/chassis/migrations')]);
  await client.query('create table queue.entry (id uuid primary key)');
  await client.query('insert into queue.entry select gen_random_uuid() from generate_series(1, 100)');
  await client.query('analyze queue.entry');
}

test('a plan names what is not applied, the locks of each statement, and about how many rows the tables have', async () => {
  await using database = await emptyDatabase();
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  await halfMigrated(client);
  const before = await client.query('select count(*) from pg_class');
  const { code, output } = await plan('--database', database.adminUrl);
  expect([code, output]).toEqual([0, expect.stringMatching(/^queue: \d+ to run\n {2}services\/queue\/migrations\/0001-queue\.sql\n/)]);
  expect(output).toContain('      entry (about 100 rows): SHARE ROW EXCLUSIVE, no one writes it until the transaction ends\n');
  expect((await client.query('select count(*) from pg_class')).rows).toEqual(before.rows);
  await client.query('insert into queue.service_migrations select unnest($1::text[])', [namesIn('services/queue/migrations')]);
  expect((await plan('--database', database.adminUrl)).output).toBe('queue: migrations current\n');
  await client.end();
});

test('in an empty database every migration would run', async () => {
  await using database = await emptyDatabase();
  const { output } = await plan('--database', database.adminUrl, '--json');
  const planned = JSON.parse(output) as { queue: { file: string; statements: { statement: string; locks: { rewritten: boolean }[] }[] }[] };
  expect(planned.queue).toHaveLength(namesIn('packages/chassis/migrations').length + namesIn('services/queue/migrations').length);
  expect(planned.queue.every(({ statements }) => statements.length > 0)).toBe(true);
});

test('without a database it says how to name one', async () => {
  const { code, errors } = await runCommandLine(['migrate', 'plan', '--service', 'queue', '--data', '/nowhere']);
  expect([code, errors]).toEqual([1, expect.stringContaining('no system runs and no database is named')]);
});
