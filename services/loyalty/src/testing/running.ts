import { randomUUID } from 'node:crypto';
import { createLog, type Overrides, type RunningService, startService } from '@corner/chassis';
import { type AnyRpc, type Envelope, type RpcCallInput, type RpcOutput, rpcSubject, subjectOf } from '@corner/contracts';
import { type FixedClock, fixedClock, type TestIssuer, testBroker, testDatabase, testIssuer, until } from '@corner/testkit';
import { createLocalJWKSet } from 'jose';
import { sql } from 'slonik';
import { z } from 'zod';
import { readLoyaltyConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { loyaltyService } from '../service.ts';
import { testKeysSetting } from './tags.ts';

/** The service at work on a database and a broker of its own, its clock held, and the means to reach each of its doors. */
export interface Running extends AsyncDisposable {
  readonly service: RunningService<Context>;
  readonly issuer: TestIssuer;
  readonly clock: FixedClock;
  /** Lines it has logged, parsed. */
  readonly lines: readonly Record<string, unknown>[];
  /** Statements it has sent, in order; a test empties it to count its own. */
  readonly statements: string[];
  /** Tells an event as its teller would. An envelope told before is delivered again: the broker's own deduplication is passed by. */
  publish(envelope: Envelope): Promise<void>;
  /** Resolves when the events have been worked through. */
  processed(...envelopes: Envelope[]): Promise<void>;
  /** Tells one after another, each worked through before the next. */
  consume(...envelopes: Envelope[]): Promise<void>;
  /** Asks over the broker. Answers what came back: an answer, or the code of a problem. */
  call<Q extends AnyRpc>(rpc: Q, asked: RpcCallInput<Q>): Promise<{ output?: RpcOutput<Q>; problem?: string }>;
}

/** Starts the service, at noon in London on the first of May unless told otherwise. */
export async function startRunning({
  at = '2026-05-01T11:00:00Z',
  ...overrides
}: Overrides & { readonly at?: string } = {}): Promise<Running> {
  const database = await testDatabase('loyalty');
  const broker = await testBroker();
  const clock = fixedClock(at);
  const issuer = await testIssuer({ now: clock.now });
  const lines: Record<string, unknown>[] = [];
  const statements: string[] = [];
  const config = readLoyaltyConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    NATS_URL: broker.url,
    NATS_NAMESPACE: broker.namespace,
    AUTH_ISSUER: issuer.issuer,
    AUTH_AUDIENCE: issuer.audience,
    AUTH_JWKS_URL: 'http://127.0.0.1:9/unused',
    NFC_KEYS: testKeysSetting,
  });
  const log = createLog('loyalty', 'debug', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const service = await startService(loyaltyService(config), config, {
    keys: createLocalJWKSet(issuer.jwks),
    log,
    now: clock.now,
    // Refusals are noted beside the requests, some time after.
    watch: (statement) => void (/insert into refusal/.test(statement) || statements.push(statement)),
    ...overrides,
  });
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
    statements,
    publish,
    processed,
    async consume(...envelopes) {
      for (const envelope of envelopes) {
        await publish(envelope);
        await processed(envelope);
      }
    },
    async call(rpc, asked) {
      const subject = backbone.broker.subject(rpcSubject(rpc));
      return (await backbone.broker.connection.request(subject, JSON.stringify(asked), { timeout: 10_000 })).json();
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await broker[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
