import { type EmptyDatabase, emptyDatabase } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import { isTransient } from '../errors/faults.ts';
import { problemOf } from '../http/problem-response.ts';
import { tcpProxyTo } from '../testing/tcp-proxy.ts';
import { openDatabase } from './database.ts';

let ground: EmptyDatabase;
beforeAll(async () => {
  ground = await emptyDatabase();
});
afterAll(async () => {
  await ground[Symbol.asyncDispose]();
});

const One = z.object({ one: z.number() });
const one = sql.type(One)`select 1 as one`;
const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no fault',
    (error: unknown) => error,
  );

test('who finds every connection taken is refused in bounded time, and served when one is free again', async () => {
  await using database = await openDatabase({ url: ground.adminUrl, poolSize: 2, waitMs: 100 });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const holders = [1, 2].map(() => database.transaction(() => held));
  const faults = await Promise.all([faultOf(database.one(one)), faultOf(database.transaction((tx) => tx.one(one)))]);
  expect(faults.map((fault) => problemOf(fault).status)).toEqual([503, 503]);
  letGo();
  await Promise.all(holders);
  expect(await database.one(one)).toEqual({ one: 1 });
});

test('a transaction whose connection is ended says that the world is in trouble, and the pool goes on', async () => {
  await using database = await openDatabase({ url: ground.adminUrl, poolSize: 2 });
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

test('idle connections that are ended are replaced without a word', async () => {
  await using database = await openDatabase({ url: ground.adminUrl, poolSize: 2 });
  const { pid } = await database.one(sql.type(z.object({ pid: z.number() }))`select pg_backend_pid() as pid`);
  await terminate(pid);
  const responses = await Promise.all([1, 2, 3].map(() => faultOf(database.one(one))));
  for (const answer of responses) expect(isTransient(answer) || (answer as { one?: number }).one === 1 || answer === 'no fault').toBe(true);
  expect(await database.one(one)).toEqual({ one: 1 });
});

test('a statement on a connection that has gone dead ends in bounded time, and the next one is served', async () => {
  await using proxy = await tcpProxyTo(ground.adminUrl);
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
  const client = new pg.Client({ connectionString: ground.adminUrl });
  await client.connect();
  await client.query('select pg_terminate_backend($1, 5000)', [pid]);
  await client.end();
}
