import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { services } from '@corner/contracts';
import { type TestDatabaseForAll, testDatabaseForAll } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { checkout } from '../walls/read-files.ts';
import { dumpSchema, type SchemaObject } from './dump-schema.ts';

const update = process.env.UPDATE_SCHEMA === '1';
const all: Record<string, SchemaObject[]> = {};
let database: TestDatabaseForAll;

beforeAll(async () => {
  database = await testDatabaseForAll();
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    for (const service of services) all[service] = await dumpSchema(client, service);
  } finally {
    await client.end();
  }
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

/** The chassis' migrations make the tables that every service has. */
const isBackbone = ({ name, sql }: SchemaObject): boolean =>
  services.every((service) => all[service]?.some((other) => other.name === name && other.sql === sql));

const title = '-- Written by `npm run schema` from the migrations; reviewed in diffs, checked by a test, run by nothing.\n\n';
const textOf = (objects: readonly SchemaObject[]): string => `${title}${objects.map(({ sql }) => sql).join('\n\n')}\n`;

function expectFile(path: string, text: string): void {
  const file = `${checkout}/${path}`;
  if (update) writeFileSync(file, text);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : 'no such file: npm run schema').toBe(text);
}

test('packages/chassis/schema.sql is what the chassis’ migrations make in every service', () => {
  expectFile('packages/chassis/schema.sql', textOf((all.orders ?? []).filter(isBackbone)));
});

test.each(services)('services/%s/schema.sql is what its migrations make', (service) => {
  expectFile(`services/${service}/schema.sql`, textOf((all[service] ?? []).filter((object) => !isBackbone(object))));
});
