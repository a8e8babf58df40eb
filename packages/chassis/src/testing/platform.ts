import { randomUUID } from 'node:crypto';
import { emptyDatabase, testBroker, testIssuer, until } from '@corner/testkit';
import { createLocalJWKSet } from 'jose';
import { sql } from 'slonik';
import { z } from 'zod';
import { readConfig, serviceSettings } from '../config.ts';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { type RunningService, startService } from '../service.ts';
import type { Overrides, ServiceDefinition } from '../service-definition.ts';
import { createLog } from '../telemetry/log.ts';

export interface Platform extends AsyncDisposable {
  start<Context>(
    definition: ServiceDefinition<Context>,
    overrides?: Overrides,
    settings?: Record<string, string>,
  ): Promise<RunningService<Context>>;
  readonly database: Awaited<ReturnType<typeof emptyDatabase>>;
  readonly broker: Awaited<ReturnType<typeof testBroker>>;
  readonly issuer: Awaited<ReturnType<typeof testIssuer>>;
  readonly lines: Record<string, unknown>[];
}

export async function preparePlatform(): Promise<Platform> {
  const database = await emptyDatabase();
  const broker = await testBroker();
  const issuer = await testIssuer();
  const lines: Record<string, unknown>[] = [];
  for (const service of ['orders', 'loyalty'] as const) {
    await migrate({
      service,
      adminUrl: database.adminUrl,
      roleUrl: database.roleUrl(service),
      directory: `${import.meta.dirname}/migrations/${service}`,
    });
  }
  const keys = createLocalJWKSet(issuer.jwks);
  return {
    database,
    broker,
    issuer,
    lines,
    start(definition, overrides = {}, settings = {}) {
      const config = readConfig(z.object(serviceSettings), {
        NODE_ENV: 'test',
        DATABASE_URL: database.roleUrl(definition.name),
        // On a busy machine hundreds of transactions at once wait longer for a connection than a request may.
        DATABASE_CONNECT_MS: '60000',
        NATS_URL: broker.url,
        NATS_NAMESPACE: broker.namespace,
        AUTH_ISSUER: issuer.issuer,
        AUTH_AUDIENCE: issuer.audience,
        AUTH_JWKS_URL: 'http://127.0.0.1:9/unused',
        ...settings,
      });
      const log = createLog(definition.name, 'debug', { write: (line: string) => void lines.push(JSON.parse(line)) });
      return startService(definition, config, { ...(settings.AUTH_JWKS_URL ? {} : { keys }), log, ...overrides });
    },
    async [Symbol.asyncDispose]() {
      await broker[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

export const storeId = '0190a000-0000-7000-8000-000000000001';
export const otherStoreId = '0190a000-0000-7000-8000-000000000002';

export async function effectsOf(database: Database, thingId: string): Promise<number[]> {
  const rows = await database.any(
    sql.type(z.object({ version: z.number() }))`select version from effect where thing_id = ${thingId} order by id`,
  );
  return rows.map(({ version }) => version);
}

/** Waits until each committed event is in a batch, and each batch is acknowledged. */
export const untilPublished = async (producer: Database): Promise<void> =>
  void (await until(
    async () =>
      (await producer.maybeOne(
        sql.type(z.object({ one: z.number() }))`
          select 1 as one from relay_batch where acked_at is null
          union all
          select 1 from outbox, relay_state where not pg_visible_in_snapshot(transaction_id, snapshot)
          limit 1`,
      )) === null,
    { describe: 'all events published' },
  ));

export const newThing = (): string => randomUUID();
