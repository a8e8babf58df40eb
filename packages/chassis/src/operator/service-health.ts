import type { Express } from 'express';
import { sql } from 'slonik';
import { z } from 'zod';
import { inTime } from '../async/waiting.ts';
import type { Broker } from '../broker/broker.ts';
import type { Database } from '../database/database.ts';
import { missingMigrations } from '../database/missing-migrations.ts';
import { addHealth, addMetrics, type HealthOptions } from '../http/health.ts';
import type { Consumers } from '../inbox/consumer.ts';
import { describeIgnored } from '../inbox/ignored-snapshots.ts';
import type { Relay } from '../outbox/relay.ts';

/** `keys` returns why the keys of tokens were never fetched, null once they were; a service that `signsTokens` is ready without them. */
export interface ServiceHealthOptions {
  readonly service: string;
  readonly database: Database;
  readonly migrations: string;
  readonly broker: () => Broker | null;
  readonly relay: () => Relay | null;
  readonly consumers: () => Consumers | null;
  readonly draining: () => boolean;
  readonly keys: () => Promise<string | null>;
  readonly signsTokens: boolean;
  readonly own: HealthOptions['needs'];
}

export function addServiceHealth(app: Express, health: HealthOptions): void {
  addMetrics(app);
  addHealth(app, health);
}

/**
 * A service is ready with its database, all migrations, and the keys of tokens; the broker may be away. Checks go ahead of waiting
 * requests: taking out a busy service would only load the others.
 */
export function serviceHealth({
  service,
  database,
  migrations,
  broker,
  relay,
  consumers,
  draining,
  keys,
  signsTokens,
  own,
}: ServiceHealthOptions): HealthOptions {
  return {
    service,
    draining,
    needs: {
      postgres: () => database.ahead.one(sql.type(z.object({ one: z.number() }))`select 1 as one`).then(() => null),
      migrations: () => missingMigrations(database.ahead, migrations),
      ...(signsTokens ? {} : { keys }),
      ...own,
    },
    notes: {
      ...(signsTokens ? { keys } : {}),
      nats: () => (broker()?.isConnected() ? null : 'not connected: events wait in the outbox'),
      relay: () => describeRelay(relay()),
      consumers: () => describeConsumers(consumers()),
      directory: () => inTime(describeIgnored(database.ahead), null),
    },
  };
}

function describeRelay(relay: Relay | null): string | null {
  const fault = relay?.state.fault ?? null;
  return fault && `publishes nothing, events wait in the outbox: ${fault}`;
}

function describeConsumers(consumers: Consumers | null): string | null {
  const faults = [...(consumers?.state.faults ?? [])].map(([producer, fault]) => `of ${producer}: ${fault}`);
  const missing = [...(consumers?.state.feeds ?? [])].flatMap(([producer, { missing: count, missingSince }]) =>
    count === 0 || missingSince === null ? [] : `${count} of ${producer} since ${missingSince.toISOString()}`,
  );
  const sentences = [
    ...(faults.length === 0 ? [] : [`cannot pull events, which wait in the stream ${faults.join('; ')}`]),
    ...(missing.length === 0 ? [] : [`events are missing and asked for: ${missing.join('; ')}`]),
  ];
  return sentences.length === 0 ? null : sentences.join('. ');
}
