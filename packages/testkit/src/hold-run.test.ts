import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { holdRun } from './hold-run.ts';
import { nameInRun, withClient } from './run-database.ts';
import { currentTestRun } from './test-run.ts';

const { postgresUrl, id: outerId } = currentTestRun();
const newId = () => `0_${randomBytes(4).toString('hex')}`;

const make = (runId: string) =>
  withClient(postgresUrl, async (client) => {
    await client.query(`create database ${nameInRun(runId, 'template')}`);
    await client.query(`create role ${nameInRun(runId, 'orders')}`);
  });
const leftOf = (runId: string) =>
  withClient(postgresUrl, async (client) => {
    const text = `select datname as name from pg_database where starts_with(datname, $1) union all select rolname from pg_roles where starts_with(rolname, $1)`;
    return (await client.query<{ name: string }>(text, [nameInRun(runId, '')])).rows.map(({ name }) => name);
  });

test('what dead runs left on a server is dropped, and a living run keeps its databases and roles until it ends', async () => {
  const [dead, living, next] = [newId(), newId(), newId()];
  await make(dead);
  const endLiving = await holdRun(postgresUrl, living);
  expect(await leftOf(dead)).toEqual([]);
  await make(living);
  const endNext = await holdRun(postgresUrl, next);
  expect(await leftOf(living)).toHaveLength(2);
  expect(await leftOf(outerId)).not.toEqual([]);
  await endNext();
  await endLiving();
  expect(await leftOf(living)).toEqual([]);
});
