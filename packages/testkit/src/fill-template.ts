import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { migrate } from '@corner/chassis';
import { services } from '@corner/contracts';
import { nameInRun, urlOfDatabase, urlOfRole, withClient } from './run-database.ts';

export interface FilledTemplate {
  readonly migrated: readonly string[];
  /** Services whose migrations failed, and why: their tests tell it, the other services' tests run. */
  readonly faults: Readonly<Record<string, string>>;
}

const servicesFolder = resolve(import.meta.dirname, '../../../services');

/** Makes the database that tests clone, with the schema of every service that has a folder of migrations. */
export async function fillTemplate(postgresUrl: string, runId: string, folder = servicesFolder): Promise<FilledTemplate> {
  const template = nameInRun(runId, 'template');
  await withClient(postgresUrl, (client) => client.query(`create database ${client.escapeIdentifier(template)} template template0`));
  const adminUrl = urlOfDatabase(postgresUrl, template);
  const migrated: string[] = [];
  const faults: Record<string, string> = {};
  for (const service of await readdir(folder)) {
    const directory = join(folder, service, 'migrations');
    if (!existsSync(directory)) continue;
    try {
      // What is no service, as the gateway, tells no events.
      const backbone = (services as readonly string[]).includes(service);
      await migrate({ service, adminUrl, roleUrl: urlOfRole(adminUrl, nameInRun(runId, service)), directory, backbone });
      migrated.push(service);
    } catch (error) {
      faults[service] = error instanceof Error ? error.message : String(error);
    }
  }
  return { migrated, faults };
}
