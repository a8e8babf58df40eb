import { chown, copyFile, lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type RunningPostgres, startPostgres } from '@corner/sandbox/servers';
import { tcpProxyTo, until } from '@corner/testkit';
import pg from 'pg';

export interface PostgresPair extends AsyncDisposable {
  readonly url: string;
  /** Kills the leader, waits, promotes the standby, and starts a new standby. `wait` lasts until the loss is noticed. */
  failOver(wait: () => Promise<void>): Promise<void>;
}

export async function startPostgresPair(folder: string): Promise<PostgresPair> {
  let count = 0;
  const newFolder = async () => {
    count += 1;
    const path = `${folder}/${count}`;
    await mkdir(path, { recursive: true });
    return path;
  };
  let leaderFolder = await newFolder();
  let leader = await startPostgres({ dataFolder: leaderFolder });
  const proxy = await tcpProxyTo(leader.url);
  let standby = await startStandby(leader, leaderFolder, await newFolder());

  return {
    url: proxy.url,
    async failOver(wait) {
      leader.kill();
      proxy.cut();
      await leader.exited;
      await wait();
      await withSuperuser(standby.server, (client) => client.query('select pg_promote()'));
      await rm(leaderFolder, { recursive: true, force: true, maxRetries: 5 });
      leader = standby.server;
      leaderFolder = standby.folder;
      proxy.redirect(leader.url);
      proxy.mend();
      standby = await startStandby(leader, leaderFolder, await newFolder());
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await standby.server.stop();
      await leader.stop();
    },
  };
}

/** The server on the copy of the leader's data follows the leader, which waits for its confirmation of each commit. */
async function startStandby(leader: RunningPostgres, from: string, folder: string) {
  return await withSuperuser(leader, async (client) => {
    // The leader keeps its log until the standby has it.
    await client.query(`alter system set wal_keep_size = '512MB'`);
    await client.query('alter system reset synchronous_standby_names');
    await client.query('select pg_reload_conf()');
    await client.query(`select pg_backup_start('standby', fast => true)`);
    await copyWhileUsed(from, folder);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(wait_for_archive => false)');
    const data = `${folder}/cluster`;
    const { uid, gid } = await lstat(data);
    const password = (await readFile(`${from}/password`, 'utf8')).trim();
    const files = {
      backup_label: rows[0]?.labelfile ?? '',
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = 'host=127.0.0.1 port=${leader.port} user=postgres password=${password}'\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(`${data}/${name}`, text, { mode: 0o600 });
      await chown(`${data}/${name}`, uid, gid);
    }
    const server = await startPostgres({ dataFolder: folder });
    const follows = async () => (await client.query(`select from pg_stat_replication where state = 'streaming'`)).rowCount === 1;
    await until(follows, { describe: 'the standby to follow' });
    await client.query(`alter system set synchronous_standby_names = '*'`);
    await client.query('select pg_reload_conf()');
    return { server, folder };
  });
}

/**
 * Keeps the owners of the files, and leaves out the running server's own. A file removed meanwhile is not needed: the standby replays all
 * changes since the copy began.
 */
async function copyWhileUsed(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (['postmaster.pid', 'postmaster.opts', 'postgres.log'].includes(entry.name)) continue;
    const [source, copy] = [`${from}/${entry.name}`, `${to}/${entry.name}`];
    try {
      const { uid, gid, mode } = await lstat(source);
      if (entry.isDirectory()) {
        await mkdir(copy, { mode });
        await chown(copy, uid, gid);
        await copyWhileUsed(source, copy);
      } else {
        await copyFile(source, copy);
        await chown(copy, uid, gid);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

async function withSuperuser<T>(server: RunningPostgres, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
