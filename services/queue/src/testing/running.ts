import { randomUUID } from 'node:crypto';
import { createLog, type Overrides, type RunningService, readConfig, serviceSettings, startService } from '@corner/chassis';
import { type DataInputOf, dataSchemaOf, type Envelope, type EventContract, subjectOf } from '@corner/contracts';
import { type FixedClock, fixedClock, type TestIssuer, testBroker, testDatabase, testIssuer, until } from '@corner/testkit';
import { createLocalJWKSet } from 'jose';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { queueService } from '../service.ts';

/** The service at work on a database and a broker of its own, its clock held, and the means to tell it events. */
export interface Running extends AsyncDisposable {
  readonly service: RunningService<Context>;
  readonly issuer: TestIssuer;
  readonly clock: FixedClock;
  /** Lines it has logged, parsed. */
  readonly lines: readonly Record<string, unknown>[];
  /** Tells an event as its teller would. An envelope told before is delivered again: the broker's own deduplication is passed by. */
  publish(envelope: Envelope): Promise<void>;
  /** Resolves when the events have been worked through. */
  processed(...envelopes: Envelope[]): Promise<void>;
  /** Tells one after another, each worked through before the next. */
  consume(...envelopes: Envelope[]): Promise<void>;
}

/** Starts the service, at noon in London on the first of May, a Friday, unless told otherwise. */
export async function startRunning({
  at = '2026-05-01T11:00:00Z',
  ...overrides
}: Overrides & { readonly at?: string } = {}): Promise<Running> {
  const database = await testDatabase('queue');
  const broker = await testBroker();
  const clock = fixedClock(at);
  const issuer = await testIssuer({ now: clock.now });
  const lines: Record<string, unknown>[] = [];
  const config = readConfig(z.object(serviceSettings), {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    NATS_URL: broker.url,
    NATS_NAMESPACE: broker.namespace,
    AUTH_ISSUER: issuer.issuer,
    AUTH_AUDIENCE: issuer.audience,
    AUTH_JWKS_URL: 'http://127.0.0.1:9/unused',
  });
  const log = createLog('queue', 'debug', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const service = await startService(queueService, config, { keys: createLocalJWKSet(issuer.jwks), log, now: clock.now, ...overrides });
  const backbone = await service.backbone;
  const publish = async (envelope: Envelope) => {
    const [, producer] = envelope.source.split('/') as [string, 'directory'];
    const version = Number(envelope.dataschema.split('/v').at(-1));
    await backbone.broker.ensureStream(producer);
    const subject = backbone.broker.subject(subjectOf(producer, { type: envelope.type, version }, envelope.storeid));
    await backbone.broker.js.publish(subject, JSON.stringify(envelope), { msgID: randomUUID() });
  };
  const processed = async (...envelopes: Envelope[]) => {
    const ids = [...new Set(envelopes.map(({ id }) => id))];
    const inboxed = () =>
      service.database.oneFirst(sql.type(z.object({ count: z.number() }))`
        select count(*) from inbox where event_id = any(${sql.array(ids, 'uuid')}) and state = 'done'`);
    await until(async () => (await inboxed()) === ids.length, { describe: `${ids.length} events worked through` });
  };
  return {
    service,
    issuer,
    clock,
    lines,
    publish,
    processed,
    async consume(...envelopes) {
      for (const envelope of envelopes) {
        await publish(envelope);
        await processed(envelope);
      }
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
