import { services } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { newShopper, runOrderScenario } from '../testing/order-scenario.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await startTestEnvironment({}, undefined, true);
});
afterAll(async () => {
  await environment?.[Symbol.asyncDispose]();
});

/** Returns the first column of a query to one of the server's databases. */
async function query(database: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: environment.system.databaseUrl.replace(/[^/]*$/, database) });
  await client.connect();
  const { rows } = await client.query({ text, rowMode: 'array' });
  await client.end();
  return rows.flat();
}

test('an order goes from the basket to the refund while each service has a database of its own', async () => {
  await runOrderScenario(environment, await newShopper(environment.system));
  const schemas = `select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('public', 'information_schema')`;
  for (const service of services) {
    expect(await query(`corner_${service}`, schemas)).toEqual([service]);
    expect(await query(`corner_${service}`, `select count(*)::int > 0 from ${service}.inbox`)).toEqual([true]);
  }
  expect(await query('corner_gateway', schemas)).toEqual(['gateway']);
});
