import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { type TestFolder, testFolder } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type RunningPostgres, startPostgres } from './postgres.ts';

async function query(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query({ text: statement, rowMode: 'array' })).rows.flat();
    return rows;
  } finally {
    await client.end();
  }
}

describe('a running server', () => {
  let folder: TestFolder;
  let postgres: RunningPostgres;
  beforeAll(async () => {
    folder = await testFolder();
    postgres = await startPostgres({ dataFolder: folder.path, durable: false });
  });
  afterAll(async () => {
    await postgres.stop();
    await folder[Symbol.asyncDispose]();
  });

  test('it is Postgres 18 in UTF-8 and accepts its superuser', async () => {
    expect(postgres.version).toMatch(/^18\./);
    expect(await query(postgres.url, `select current_user, current_setting('server_encoding')`)).toEqual(['postgres', 'UTF8']);
    expect(await query(postgres.url, 'show max_connections')).toEqual(['300']);
  });

  test('a wrong password is rejected', async () => {
    const url = new URL(postgres.url);
    url.password = 'guessed';
    await expect(query(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  test('the password file is readable by its owner only', async () => {
    expect((await stat(`${folder.path}/password`)).mode & 0o777).toBe(0o600);
  });

  test('it listens on the loopback address only, and on no Unix socket', async () => {
    const settings = `select current_setting('listen_addresses'), current_setting('unix_socket_directories')`;
    expect(await query(postgres.url, settings)).toEqual(['127.0.0.1', '']);
  });

  test('it writes no row data to its log', async () => {
    await query(postgres.url, 'create table guest (phone text unique)', `insert into guest values ('+447700900123')`);
    await expect(query(postgres.url, `insert into guest values ('+447700900123')`)).rejects.toMatchObject({ code: '23505' });
    const log = await readFile(`${folder.path}/postgres.log`, 'utf8');
    expect(log).toContain('duplicate key value');
    expect(log).not.toContain('447700900123');
  });

  test('it has a process group of its own, so that Ctrl-C does not reach it', () => {
    if (process.platform !== 'linux') return;
    const [, group] = /\) \S \d+ (\d+)/.exec(readFileSync(`/proc/${postgres.pid}/stat`, 'utf8')) ?? [];
    expect(Number(group)).toBe(postgres.pid);
  });
});

test('as root, a server runs on a data folder that other users cannot enter', async () => {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return;
  await using folder = await testFolder();
  await chmod(folder.path, 0o700);
  await using postgres = await startPostgres({ dataFolder: `${folder.path}/inside`, durable: false });
  expect(await query(postgres.url, 'select 1')).toEqual([1]);
  expect(readFileSync(`/proc/${postgres.pid}/status`, 'utf8')).toMatch(/^Uid:\s+65534\s+65534/m);
});

describe('a start on existing data', () => {
  let folder: TestFolder;
  let started: RunningPostgres[];
  const start = async (port?: number): Promise<RunningPostgres> => {
    const postgres = await startPostgres({ dataFolder: folder.path, ...(port ? { port } : {}) });
    started.push(postgres);
    return postgres;
  };
  beforeEach(async () => {
    folder = await testFolder();
    started = [];
  });
  afterEach(async () => {
    for (const postgres of started) await postgres.stop();
    await folder[Symbol.asyncDispose]();
  });

  test('the address and the rows survive a stop and a crash', async () => {
    const first = await start();
    await query(first.url, 'create table kept (n int)', 'insert into kept values (1)');
    await first.stop();
    expect(await first.exited).toBe('it ended with exit code 0');

    const second = await start(first.port);
    expect(second.url).toBe(first.url);
    await query(second.url, 'insert into kept values (2)');
    second.kill();
    expect(await second.exited).toBe('it was ended by SIGKILL');

    const third = await start(first.port);
    expect(await query(third.url, 'select n from kept order by n')).toEqual([1, 2]);
  });

  test('a server whose starter has died is stopped first', async () => {
    const orphan = await start();
    await query(orphan.url, 'create table kept (n int)', 'insert into kept values (1)');
    const next = await start();
    expect(await orphan.exited).toBe('it ended with exit code 0');
    expect(await query(next.url, 'select n from kept')).toEqual([1]);
  });

  test('a pid file that now names another process does that process no harm', async () => {
    await (await start()).stop();
    const bystander = spawn('sleep', ['60'], { stdio: 'ignore' });
    await writeFile(`${folder.path}/cluster/postmaster.pid`, `${bystander.pid}\n${folder.path}/cluster\n`);
    const next = await start();
    expect(await query(next.url, 'select 1')).toEqual([1]);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    bystander.kill();
  });

  test('a lost password file is an error that says how to start afresh', async () => {
    await (await start()).stop();
    await rm(`${folder.path}/password`);
    await expect(start()).rejects.toThrow('npm run reset');
  });
});

describe('a port that is taken', () => {
  let folders: TestFolder[];
  let holder: Server;
  let port: number;
  beforeEach(async () => {
    folders = [await testFolder(), await testFolder()];
    holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    port = (holder.address() as { port: number }).port;
  });
  afterEach(async () => {
    holder.close();
    for (const folder of folders) await folder[Symbol.asyncDispose]();
  });

  test('is replaced by another one', async () => {
    await using postgres = await startPostgres({ dataFolder: folders[0]?.path ?? '', port, durable: false });
    expect(postgres.port).not.toBe(port);
    expect(await query(postgres.url, 'show port')).toEqual([String(postgres.port)]);
  });

  test('is given to one of two servers that prefer it, and the other one gets another', async () => {
    holder.close();
    await once(holder, 'close');
    const both = await Promise.all(folders.map(({ path }) => startPostgres({ dataFolder: path, port, durable: false })));
    try {
      for (const postgres of both) expect(await query(postgres.url, 'show port')).toEqual([String(postgres.port)]);
      expect(new Set(both.map((postgres) => postgres.port)).size).toBe(2);
    } finally {
      for (const postgres of both) await postgres.stop();
    }
  });
});
