import { appendFileSync, writeFileSync } from 'node:fs';
import { chown, cp, mkdir, readdir, stat } from 'node:fs/promises';
import { type RunningPostgres, startPostgres } from '@corner/sandbox/servers';
import { testFolder, until } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from './database/migrate.ts';
import { effectsOf, newThing, preparePlatform, storeId } from './testing/platform.ts';
import { changeAndPublish, consumer, producer } from './testing/services.ts';

const query = async (postgres: RunningPostgres, ...statements: readonly string[]): Promise<Record<string, string>[]> => {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    let rows: Record<string, string>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
};

const roleUrl = ({ url }: RunningPostgres): string => Object.assign(new URL(url), { username: 'corner_orders', password: 'own' }).href;

async function takeBaseBackup(postgres: RunningPostgres, cluster: string, copy: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`select pg_backup_start('base', true)`);
  await cp(cluster, copy, { recursive: true, filter: (path) => !/\/postmaster\.pid$|\/pg_wal\/[0-9A-F]{24}$/.test(path) });
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  await client.end();
  writeFileSync(`${copy}/backup_label`, rows[0]?.labelfile ?? '');
}

test('Postgres restored to a moment by a base backup and its WAL keeps what was committed before, and its new events have their effects', async () => {
  await using platform = await preparePlatform();
  await using folder = await testFolder();
  const [before, after] = ['before', 'after'].map((name) => `${folder.path}/${name}`) as [string, string];
  const archive = `${folder.path}/wal`;
  await using first = await startPostgres({ dataFolder: before, durable: false });
  const owner = await stat(`${before}/cluster`);
  // When the tests run as root, Postgres runs as another user.
  const give = async (path: string) => {
    for (const each of ['', ...(await readdir(path, { recursive: true }))]) await chown(`${path}/${each}`, owner.uid, owner.gid);
  };
  await mkdir(archive);
  await give(archive);
  const archiving = [`archive_mode = on`, `archive_command = 'cp %p ${archive}/%f'`, `restore_command = 'cp ${archive}/%f %p'`];
  await query(first, ...archiving.map((setting) => `alter system set ${setting}`));
  await first.stop();

  await using loyalty = await platform.start(consumer());
  const thing = newThing();
  const effects = (count: number) =>
    until(async () => (await effectsOf(loyalty.database, thing)).length >= count, { describe: `${count} effects` });
  let moment = '';
  {
    await using postgres = await startPostgres({ dataFolder: before, durable: false });
    await migrate({
      service: 'orders',
      adminUrl: postgres.url,
      roleUrl: roleUrl(postgres),
      directory: `${import.meta.dirname}/testing/migrations/orders`,
    });
    await using orders = await platform.start(producer(), {}, { DATABASE_URL: roleUrl(postgres) });
    const change = () => orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
    await change();
    await takeBaseBackup(postgres, `${before}/cluster`, `${after}/cluster`);
    await change();
    await effects(2);
    moment = (await query(postgres, 'select clock_timestamp()::text as now'))[0]?.now ?? '';
    for (let n = 3; n <= 5; n += 1) await change();
    await effects(5);
    await query(postgres, 'select pg_switch_wal()');
    await until(async () => (await query(postgres, 'select 1 from pg_stat_archiver where last_archived_time is not null')).length === 1, {
      describe: 'the WAL in the archive',
    });
  }

  await cp(`${before}/password`, `${after}/password`);
  appendFileSync(
    `${after}/cluster/postgresql.auto.conf`,
    `recovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\narchive_mode = off\n`,
  );
  writeFileSync(`${after}/cluster/recovery.signal`, '');
  await give(after);
  await using restored = await startPostgres({ dataFolder: after, durable: false });
  await until(async () => (await query(restored, 'select pg_is_in_recovery()::text as recovering'))[0]?.recovering === 'false', {
    describe: 'the end of the recovery',
  });
  await using orders = await platform.start(producer(), {}, { DATABASE_URL: roleUrl(restored) });
  // Two of five changes are there. The next ones reuse the transaction ids of the lost ones.
  for (const version of [3, 4]) expect(await orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId))).toBe(version);
  await effects(7);
  expect(await effectsOf(loyalty.database, thing)).toEqual([1, 2, 3, 4, 5, 3, 4]);
  const unknown = platform.lines.filter(({ msg }) => /^the producer has other events under these numbers/.test(String(msg)));
  expect(unknown).toMatchObject([{ after_number: 2, events: 3 }]);
});
