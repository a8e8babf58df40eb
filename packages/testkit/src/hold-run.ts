import pg from 'pg';
import { dropAllNamed, nameInRun, withClient } from './run-database.ts';

/** A run without this connection is over, and its databases and roles may be dropped. */
const connectionName = (runId: string): string => `corner tests ${runId}`;

/** Keeps a connection open, and drops the databases and roles of killed runs. Returns the function that ends the run. */
export async function holdRun(postgresUrl: string, runId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: postgresUrl, application_name: connectionName(runId) });
  client.on('error', () => {});
  await client.connect();
  for (const left of await runsWithoutConnection(client)) await dropAllNamed(client, nameInRun(left, ''));
  return async () => {
    await client.end().catch(() => {});
    await withClient(postgresUrl, (fresh) => dropAllNamed(fresh, nameInRun(runId, '')));
  };
}

async function runsWithoutConnection(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ run: string }>(
    `with named as (select datname as name from pg_database union all select rolname from pg_roles),
          runs as (select distinct substring(name from '^corner_test_([0-9]+_[0-9a-f]+)_') as run from named)
     select run from runs
     where run is not null
       and not exists (select 1 from pg_stat_activity where application_name = $1 || run)`,
    [connectionName('')],
  );
  return rows.map(({ run }) => run);
}
