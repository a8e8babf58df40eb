import { type EmptyDatabase, emptyDatabase, tcpProxyTo } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { NotFoundError, sql } from 'slonik';
import { z } from 'zod';
import { isTransient } from '../errors/is-transient.ts';
import { problemOf } from '../http/problem-response.ts';
import { openDatabase } from './database.ts';

let empty: EmptyDatabase;
beforeAll(async () => {
  empty = await emptyDatabase();
});
afterAll(async () => {
  await empty[Symbol.asyncDispose]();
});

const One = z.object({ one: z.number() });
const one = sql.type(One)`select 1 as one`;
const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no fault',
    (error: unknown) => error,
  );

test('a caller that finds every connection taken gets 503 in bounded time, and is served once one is free', async () => {
  await using database = await openDatabase({ url: empty.adminUrl, poolSize: 2, waitMs: 100 });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const holders = [1, 2].map(() => database.transaction(() => held));
  const faults = await Promise.all([faultOf(database.one(one)), faultOf(database.transaction((tx) => tx.one(one)))]);
  expect(faults.map((fault) => problemOf(fault).status)).toEqual([503, 503]);
  release();
  await Promise.all(holders);
  expect(await database.one(one)).toEqual({ one: 1 });
});

test('Postgres ends a connection whose client has been silent for ten seconds, as after a power cut', async () => {
  await using database = await openDatabase({ url: empty.adminUrl });
  const Settings = z.object({ name: z.string(), setting: z.string() });
  const settings = await database.any(sql.type(Settings)`
    select name, setting from pg_settings where name like 'tcp_keepalives_%' or name in ('tcp_user_timeout', 'client_connection_check_interval')`);
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, Number(setting)]))).toEqual({
    tcp_keepalives_idle: 4,
    tcp_keepalives_interval: 2,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 10_000,
    client_connection_check_interval: 5_000,
  });
});

test('a statement that goes ahead is sent before those that wait', async () => {
  await using database = await openDatabase({ url: empty.adminUrl, poolSize: 1 });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const holder = database.transaction(() => held);
  const sent: string[] = [];
  const statements = [
    database.one(one).then(() => sent.push('first')),
    database.one(one).then(() => sent.push('second')),
    database.ahead.one(one).then(() => sent.push('ahead')),
  ];
  release();
  await Promise.all([holder, ...statements]);
  expect(sent).toEqual(['ahead', 'first', 'second']);
});

test('a refusal, a failed statement and a missing row leave the connection open', async () => {
  await using database = await openDatabase({ url: empty.adminUrl, poolSize: 1 });
  const backend = () => database.oneFirst(sql.type(z.object({ pid: z.number() }))`select pg_backend_pid() as pid`);
  const before = await backend();
  const refused = database.transaction(async (tx) => {
    await tx.one(one);
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  await expect(database.transaction((tx) => tx.one(sql.type(One)`select 1 / 0 as one`))).rejects.toThrow('division by zero');
  await expect(database.one(sql.type(One)`select 1 / 0 as one`)).rejects.toThrow('division by zero');
  await expect(database.one(sql.type(One)`select 1 as one where false`)).rejects.toThrow(NotFoundError);
  expect(await backend()).toBe(before);
});

test('a transaction whose connection is terminated throws a transient error, and the pool goes on', async () => {
  await using database = await openDatabase({ url: empty.adminUrl, poolSize: 2 });
  const fault = await faultOf(
    database.transaction(async (tx) => {
      const { pid } = await tx.one(sql.type(z.object({ pid: z.number() }))`select pg_backend_pid() as pid`);
      await terminate(pid);
      await tx.one(one);
    }),
  );
  expect(isTransient(fault)).toBe(true);
  for (let i = 0; i < 4; i += 1) expect(await database.one(one)).toEqual({ one: 1 });
});

test('idle connections that are terminated are replaced silently', async () => {
  await using database = await openDatabase({ url: empty.adminUrl, poolSize: 2 });
  const { pid } = await database.one(sql.type(z.object({ pid: z.number() }))`select pg_backend_pid() as pid`);
  await terminate(pid);
  const responses = await Promise.all([1, 2, 3].map(() => faultOf(database.one(one))));
  for (const result of responses) expect(isTransient(result) || (result as { one?: number }).one === 1 || result === 'no fault').toBe(true);
  expect(await database.one(one)).toEqual({ one: 1 });
});

test('a statement on a dead connection ends in bounded time, and the next one is served', async () => {
  await using proxy = await tcpProxyTo(empty.adminUrl);
  await using database = await openDatabase({ url: proxy.url, poolSize: 2, responseMs: 300 });
  await database.one(one);
  proxy.deaden();
  const fault = await faultOf(database.one(one));
  expect(problemOf(fault).status).toBe(503);
  expect(problemOf(await faultOf(database.transaction((tx) => tx.one(one)))).status).toBe(503);
  proxy.mend();
  expect(await database.one(one)).toEqual({ one: 1 });
});

async function terminate(pid: number): Promise<void> {
  const client = new pg.Client({ connectionString: empty.adminUrl });
  await client.connect();
  await client.query('select pg_terminate_backend($1, 5000)', [pid]);
  await client.end();
}
