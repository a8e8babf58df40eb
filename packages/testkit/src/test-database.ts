import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ServiceName, services } from '@corner/contracts';
import type pg from 'pg';
import { dropAllNamed, nameInRun, urlOfDatabase, urlOfRole, withClient } from './run-database.ts';
import { currentTestRun, type TestRun } from './test-run.ts';

interface AnyDatabase extends AsyncDisposable {
  readonly name: string;
  readonly adminUrl: string;
}

export interface TestDatabase extends AnyDatabase {
  readonly url: string;
}

export interface TestDatabaseForAll extends AnyDatabase {
  readonly urls: Readonly<Record<ServiceName, string>>;
}

export interface EmptyDatabase extends AnyDatabase {
  /** The migrations create the role; it is dropped with the database. */
  roleUrl(service: string): string;
}

export async function testDatabase(service: string, run = currentTestRun()): Promise<TestDatabase> {
  assertMigrated(run, service);
  const database = await create(run, nameInRun(run.id, 'template'));
  return { ...database, url: urlOfRole(database.adminUrl, nameInRun(run.id, service)) };
}

export async function testDatabaseForAll(run = currentTestRun()): Promise<TestDatabaseForAll> {
  for (const service of services) assertMigrated(run, service);
  const database = await create(run, nameInRun(run.id, 'template'));
  const urls = services.map((service) => [service, urlOfRole(database.adminUrl, nameInRun(run.id, service))] as const);
  return { ...database, urls: Object.fromEntries(urls) as Record<ServiceName, string> };
}

/** Makes an empty database with its own roles, so that two tests may migrate at the same time. */
export async function emptyDatabase(run = currentTestRun()): Promise<EmptyDatabase> {
  const database = await create(run, 'template0');
  return { ...database, roleUrl: (service) => urlOfRole(database.adminUrl, `${database.name}_${service}`) };
}

function assertMigrated(run: TestRun, service: string): void {
  const fault = run.faults[service];
  if (fault) throw new Error(`The migrations of ${service} failed, so there is no database to test on: ${fault}`);
  if (!run.migrated.includes(service)) throw new Error(`There is no service ${service} with a folder of migrations.`);
}

async function create(run: TestRun, template: string): Promise<AnyDatabase> {
  const name = nameInRun(run.id, randomBytes(5).toString('hex'));
  await withClient(run.postgresUrl, (client) => createFrom(client, name, template));
  return {
    name,
    adminUrl: urlOfDatabase(run.postgresUrl, name),
    [Symbol.asyncDispose]: () => withClient(run.postgresUrl, (client) => dropAllNamed(client, name)),
  };
}

/** Attempts while a client is connected to the template. Postgres itself waits five seconds each time. */
const attempts = 6;

async function createFrom(client: pg.Client, name: string, template: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // By the default strategy each page passes through the log and the shared buffers, which takes four times the processor.
      await client.query(
        `create database ${client.escapeIdentifier(name)} template ${client.escapeIdentifier(template)} strategy file_copy`,
      );
      return;
    } catch (error) {
      const busy = (error as { code?: string }).code === '55006';
      if (!busy || attempt === attempts) throw error;
      await pause(20 * attempt);
    }
  }
}
