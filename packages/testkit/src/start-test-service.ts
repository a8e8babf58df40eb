import { randomUUID } from 'node:crypto';
import {
  type AnyRpc,
  type Envelope,
  type Producer,
  type RpcCallInput,
  type RpcOutput,
  rpcSubject,
  type ServiceName,
  subjectOf,
} from '@corner/contracts';
import pg from 'pg';
import { type FixedClock, fixedClock } from './fixed-clock.ts';
import { refuseWholeScans } from './plans/refuse-whole-scans.ts';
import { testBroker } from './test-broker.ts';
import { testDatabase } from './test-database.ts';
import { type TestIssuer, testIssuer } from './test-issuer.ts';
import { until } from './until.ts';

/**
 * Starts a service on a database, a broker namespace and an issuer of its own, and resolves when the service has reached the broker.
 * No job runs because it is due: a test calls the jobs it means, and those with a signal run when it is raised.
 * Disposal stops the service first, refuses prepared statements that read whole tables, and then drops what it ran on. The service passes
 * its own `start` and `createLog`, because testkit does not depend on the chassis.
 */
export async function startTestService<Service extends TestableService, Log>(
  options: StartTestServiceOptions<Service, Log>,
): Promise<TestService<Service>> {
  const { name, at = new Date().toISOString(), clock = fixedClock(at), settings = {}, createLog, start } = options;
  await using started = new AsyncDisposableStack();
  const database = started.use(await testDatabase(name));
  const broker = started.use(await testBroker());
  const issuer = await testIssuer({ now: clock.now });
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    // On a busy machine Postgres may take long to accept a connection or to respond, and a service to reply.
    DATABASE_CONNECT_MS: '60000',
    DATABASE_RESPONSE_MS: '60000',
    RPC_DEADLINE_FACTOR: '5',
    NATS_URL: broker.url,
    NATS_NAMESPACE: broker.namespace,
    AUTH_ISSUER: issuer.issuer,
    AUTH_AUDIENCE: issuer.audience,
    AUTH_JWKS_URL: 'http://127.0.0.1:9/unused',
    ...settings,
  };
  const lines: Record<string, unknown>[] = [];
  const statements: string[] = [];
  const backgroundStatements: string[] = [];
  const prepared = new Map<string, string>();
  started.defer(() => refuseWholeScans(database, name, prepared));
  const service = started.use(
    await start(environment, {
      keys: issuer.keys,
      log: createLog(name, 'debug', { write: (line) => void lines.push(JSON.parse(line)) }),
      now: clock.now,
      timersHeld: true,
      watch(statement, statementName, isBackground) {
        if (statementName) prepared.set(statement, statementName);
        (isBackground ? backgroundStatements : statements).push(statement);
      },
    }),
  );
  // A connection beside the service's own, so that waiting adds nothing to `statements`.
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  pool.on('error', () => {});
  started.defer(() => pool.end());
  const backbone = await service.backbone;
  const publish = (envelope: Envelope) => publishEnvelope(backbone.broker, envelope);
  const processed = (...envelopes: Envelope[]) => untilProcessed(pool, envelopes);
  const owned = started.move();
  return {
    service,
    environment,
    issuer,
    clock,
    lines,
    statements,
    backgroundStatements,
    publish,
    processed,
    async consume(...envelopes) {
      for (const envelope of envelopes) {
        await publish(envelope);
        await processed(envelope);
      }
    },
    async call(rpc, input) {
      const subject = backbone.broker.subject(rpcSubject(rpc, 'tester'));
      const reply = await backbone.broker.connection.request(subject, JSON.stringify(input), { timeout: replyMs });
      return reply.json();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Milliseconds before a call without a reply fails: a safety net, no expectation of speed. */
const replyMs = 60_000;

async function publishEnvelope(broker: ServiceBroker, envelope: Envelope): Promise<void> {
  const producer = envelope.source.slice(1) as Producer;
  const version = Number(envelope.dataschema.split('/v').at(-1));
  const subject = broker.subject(
    subjectOf(producer, { type: envelope.type, version }, producer === 'directory' ? envelope.subject : envelope.storeid),
  );
  await broker.js.publish(subject, JSON.stringify(envelope), { msgID: randomUUID() });
}

async function untilProcessed(pool: pg.Pool, envelopes: readonly Envelope[]): Promise<void> {
  const ids = [...new Set(envelopes.map(({ id }) => id))];
  const countProcessed = async () => {
    const text = `select count(*)::int as count from inbox where event_id = any($1::uuid[]) and state = 'done'`;
    return (await pool.query<{ count: number }>(text, [ids])).rows[0]?.count;
  };
  await until(async () => (await countProcessed()) === ids.length, { describe: `${ids.length} events to be processed` });
}

export interface StartTestServiceOptions<Service extends TestableService, Log> {
  readonly name: ServiceName;
  /** ISO 8601 instant at which the clock is held; the system's time by default. */
  readonly at?: string;
  /** The clock itself, for a test that shares it with a simulator. */
  readonly clock?: FixedClock;
  /** Environment variables beside those every service reads. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly createLog: (name: string, level: string, destination: { write(line: string): void }) => Log;
  /** Starts the service with this environment. The overrides are those of the chassis' `startService`. */
  readonly start: (environment: Readonly<Record<string, string>>, overrides: TestOverrides<Log>) => Promise<Service>;
}

export interface TestOverrides<Log> {
  readonly keys: TestIssuer['keys'];
  readonly log: Log;
  readonly now: () => Date;
  /** With the clock held, nothing is due by itself: a test runs a job by calling it. */
  readonly timersHeld: boolean;
  readonly watch: (statement: string, name: string | undefined, isBackground: boolean) => void;
}

/** A running service and what a test needs to reach each of its entry points. */
export interface TestService<Service extends TestableService> extends AsyncDisposable {
  readonly service: Service;
  /** The environment the service was started with, for a second process of it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly issuer: TestIssuer;
  readonly clock: FixedClock;
  /** The lines it has logged, parsed. */
  readonly lines: readonly Record<string, unknown>[];
  /**
   * The statements it has sent for requests, events, RPCs and calls of a test, in order, and none that it sends at times of its own. A test
   * may empty the array to count its own.
   */
  readonly statements: string[];
  /**
   * The statements its jobs have sent, those that record refusals and those with which its consumer keeps its positions: at any time, also
   * while a test counts its own.
   */
  readonly backgroundStatements: string[];
  /** Publishes an event as its producer would. An envelope published before is delivered again: no deduplication by the broker. */
  publish(envelope: Envelope): Promise<void>;
  /** Resolves when the service has processed all these events. */
  processed(...envelopes: Envelope[]): Promise<void>;
  /** Publishes the events one after another, each after the one before it has been processed. */
  consume(...envelopes: Envelope[]): Promise<void>;
  /** Calls an RPC over the broker. Resolves to the output, or to the code of a problem. */
  call<Q extends AnyRpc>(rpc: Q, input: RpcCallInput<Q>): Promise<{ output?: RpcOutput<Q>; problem?: string }>;
}

/** What this needs of the chassis' RunningService. */
export interface TestableService extends AsyncDisposable {
  readonly backbone: Promise<{ readonly broker: ServiceBroker }>;
}

interface ServiceBroker {
  subject(plain: string): string;
  readonly js: { publish(subject: string, data: string, options: { readonly msgID: string }): Promise<unknown> };
  readonly connection: {
    // biome-ignore lint/suspicious/noExplicitAny: the reply is what the contract says.
    request(subject: string, data: string, options: { readonly timeout: number }): Promise<{ json(): any }>;
  };
}
