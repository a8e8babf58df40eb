import { readdirSync, readFileSync } from 'node:fs';
import { requiredServices } from '@corner/contracts';
import { until } from '@corner/testkit';
import pg from 'pg';
import type { TestEnvironment } from '../testing/test-environment.ts';

export interface StoredTexts {
  readonly events: string;
  readonly idempotency: string;
  readonly deadLetters: readonly { readonly event_id: string; readonly text: string }[];
}

export async function readStored({ system }: TestEnvironment): Promise<StoredTexts> {
  const client = new pg.Client({ connectionString: system.databaseUrl });
  await client.connect();
  try {
    const all = async <T extends object>(statement: (schema: string) => string): Promise<T[]> => {
      const rows: T[] = [];
      for (const schema of requiredServices) rows.push(...(await client.query<T>(statement(schema))).rows);
      return rows;
    };
    const text = async (statement: (schema: string) => string) =>
      (await all<{ text: string }>(statement)).map((row) => row.text).join('\n');
    return {
      events: await text((schema) => `select o::text as text from ${schema}.outbox o`),
      idempotency: await text((schema) => `select k::text as text from ${schema}.idempotency_key k`),
      deadLetters: await all((schema) => `select event_id, (to_jsonb(d) - 'payload')::text as text from ${schema}.dead_letter d`),
    };
  } finally {
    await client.end();
  }
}

/** Reads every process in the Prometheus text format; the gateway only if it has a port. Throws when a process does not return them. */
export async function readMetrics({ system }: TestEnvironment, gatewayMetricsPort?: number): Promise<Record<string, string>> {
  const urls = requiredServices.map((name) => [name, `${system.services[name].url}/metrics`] as const);
  const ofGateway = gatewayMetricsPort === undefined ? [] : [['gateway', `http://127.0.0.1:${gatewayMetricsPort}/metrics`] as const];
  const all = [...urls, ...ofGateway];
  const read = async (url: string) => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} returned ${response.status}`);
    return await response.text();
  };
  return Object.fromEntries(await Promise.all(all.map(async ([name, url]) => [name, await read(url)] as const)));
}

/** Waits until consumers have acknowledged every event, so that all effects are committed. */
export async function untilEventsProcessed(environment: TestEnvironment, gatewayMetricsPort?: number): Promise<void> {
  const waiting = /^corner_(outbox_backlog|consumer_lag)\{.*\} ([1-9]\d*)$/m;
  await until(async () => Object.values(await readMetrics(environment, gatewayMetricsPort)).every((text) => !waiting.test(text)), {
    describe: 'empty outboxes and consumers without lag',
  });
}

export const readLogs = ({ folder }: TestEnvironment): Record<string, string> =>
  Object.fromEntries(readdirSync(`${folder}/log`).map((file) => [file, readFileSync(`${folder}/log/${file}`, 'utf8')]));
