import { until } from '@corner/testkit';
import pg from 'pg';
import { untilEventsProcessed } from '../secrets/places.ts';
import type { TestEnvironment } from './test-environment.ts';

export async function untilSettled(environment: TestEnvironment, gatewayMetricsPort?: number): Promise<void> {
  await untilEventsProcessed(environment, gatewayMetricsPort);
  await onDatabase(environment, async (client) => {
    const waiting = async () =>
      (await client.query(`select from notifications.message where state = 'pending' and due_at <= now()`)).rowCount;
    await until(async () => (await waiting()) === 0, { describe: 'all messages to be settled' });
  });
}

export async function onDatabase<T>({ system }: Pick<TestEnvironment, 'system'>, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: system.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
