import { randomUUID } from 'node:crypto';
import { createLog, type Overrides, type RunningService } from '@corner/chassis';
import { type DataInputOf, dataSchemaOf, type Envelope, type EventContract, subjectOf } from '@corner/contracts';
import { type TestIssuer, testBroker, testDatabase, testIssuer, until } from '@corner/testkit';
import { createLocalJWKSet } from 'jose';
import { sql } from 'slonik';
import { z } from 'zod';
import { readNotificationsConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { startNotifications } from '../service.ts';

/** The service at work on a database and a broker of its own, and the means to tell it events. */
export interface Running extends AsyncDisposable {
  readonly service: RunningService<Context>;
  readonly issuer: TestIssuer;
  /** What another process of the same service is to be given. */
  readonly environment: Readonly<Record<string, string>>;
  /** Lines it has logged, parsed. */
  readonly lines: readonly Record<string, unknown>[];
  /** Tells an event as its teller would. An envelope told before is delivered again: the broker's own deduplication is passed by. */
  publish(envelope: Envelope): Promise<void>;
  /** Resolves when the events have been worked through. */
  processed(...envelopes: Envelope[]): Promise<void>;
}

/** Starts the service. `held` holds its clock and ids still; `settings` are those of its channels. */
export async function startRunning(overrides: Overrides = {}, settings: Readonly<Record<string, string>> = {}): Promise<Running> {
  const database = await testDatabase('notifications');
  const broker = await testBroker();
  const issuer = await testIssuer();
  const lines: Record<string, unknown>[] = [];
  const environment = {
    ...settings,
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    NATS_URL: broker.url,
    NATS_NAMESPACE: broker.namespace,
    AUTH_ISSUER: issuer.issuer,
    AUTH_AUDIENCE: issuer.audience,
    AUTH_JWKS_URL: 'http://127.0.0.1:9/unused',
  };
  const config = readNotificationsConfig(environment);
  const log = createLog('notifications', 'debug', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const service = await startNotifications(config, { keys: createLocalJWKSet(issuer.jwks), log, ...overrides });
  const backbone = await service.backbone;
  return {
    service,
    issuer,
    environment,
    lines,
    async publish(envelope) {
      const [, producer] = envelope.source.split('/') as [string, 'directory'];
      const version = Number(envelope.dataschema.split('/v').at(-1));
      await backbone.broker.ensureStream(producer);
      const subject = backbone.broker.subject(subjectOf(producer, { type: envelope.type, version }, envelope.storeid));
      await backbone.broker.js.publish(subject, JSON.stringify(envelope), { msgID: randomUUID() });
    },
    async processed(...envelopes) {
      const ids = [...new Set(envelopes.map(({ id }) => id))];
      const inboxed = () =>
        service.database.oneFirst(sql.type(z.object({ count: z.number() }))`
        select count(*) from inbox where event_id = any(${sql.array(ids, 'uuid')}) and state = 'done'`);
      await until(async () => (await inboxed()) === ids.length, { describe: `${ids.length} events worked through` });
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await broker[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** An event in its envelope, as a teller's relay would send it. */
export function envelopeOf<E extends EventContract>(
  event: E,
  data: DataInputOf<E>,
  about: {
    readonly aggregateId: string;
    readonly sequence?: number;
    readonly storeId?: string;
    readonly customerId?: string;
    readonly at?: string;
  },
): Envelope {
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: `/${event.producers[0] ?? 'directory'}`,
    type: event.type,
    dataschema: dataSchemaOf(event),
    subject: about.aggregateId,
    time: about.at ?? '2026-05-01T12:00:00.000000Z',
    datacontenttype: 'application/json',
    ...(about.storeId ? { storeid: about.storeId } : {}),
    ...(about.customerId ? { customerid: about.customerId } : {}),
    sequence: about.sequence ?? 1,
    data,
  };
}
