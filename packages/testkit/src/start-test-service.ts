import { randomUUID } from 'node:crypto';
import {
  type AnyRpc,
  type Envelope,
  type Producer,
  type RpcCallInput,
  type RpcOutput,
  rpcSubject,
  type ServiceName,
  scopeOf,
  subjectOf,
} from '@corner/contracts';
import pg from 'pg';
import { type FixedClock, fixedClock } from './fixed-clock.ts';
import { refuseWholeScans } from './plans/refuse-whole-scans.ts';
import { withClient } from './run-database.ts';
import { type TestBroker, testBroker } from './test-broker.ts';
import { testDatabase } from './test-database.ts';
import { type TestIssuer, testIssuer } from './test-issuer.ts';
import { until } from './until.ts';

/**
 * Starts a service on its own database, broker namespace and issuer, and resolves when it has reached the broker. Jobs run when a test
 * calls them, or at a signal. Except in the full run, disposal refuses prepared statements that read whole tables. `start` and `createLog`
 * are passed in, because testkit does not depend on the chassis.
 */
export async function startTestService<Service extends TestableService, Log>(
  options: StartTestServiceOptions<Service, Log>,
): Promise<TestService<Service>> {
  const { name, at = new Date().toISOString(), clock = fixedClock(at), settings = {}, createLog, start } = options;
  await using started = new AsyncDisposableStack();
  const database = started.use(await testDatabase(name));
  const broker = started.use(await testBroker());
  const issuer = await testIssuer({ now: clock.now });
  const environment = { ...environmentOf(database.url, broker, issuer), ...settings };
  const { lines, statements, backgroundStatements, prepared, watch } = createRecord();
  // The quick run plans each statement. The full run has random histories, and the sizes they leave on disk change plans of small tables.
  if (process.env.CORNER_TESTS !== 'full') started.defer(() => refuseWholeScans(database, name, prepared));
  const service = started.use(
    await start(environment, {
      keys: issuer.keys,
      log: createLog(name, 'debug', { write: (line) => void lines.push(JSON.parse(line)) }),
      now: clock.now,
      timersHeld: true,
      watch,
    }),
  );
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  pool.on('error', () => {});
  started.defer(() => pool.end());
  const means = meansOf(await service.backbone, pool);
  const owned = started.move();
  return {
    service,
    environment,
    issuer,
    clock,
    lines,
    statements,
    backgroundStatements,
    ...means,
    asSuperuser: (text) => withClient(database.adminUrl, async (client) => void (await client.query(`set search_path = ${name}; ${text}`))),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const environmentOf = (databaseUrl: string, { url, namespace }: TestBroker, { issuer, audience }: TestIssuer) => ({
  NODE_ENV: 'test',
  DATABASE_URL: databaseUrl,
  DATABASE_CONNECT_MS: '60000',
  DATABASE_RESPONSE_MS: '60000',
  RPC_DEADLINE_FACTOR: '5',
  NATS_URL: url,
  NATS_NAMESPACE: namespace,
  AUTH_ISSUER: issuer,
  AUTH_AUDIENCE: audience,
  AUTH_JWKS_URL: 'http://127.0.0.1:9/unused',
});

function createRecord() {
  const lines: Record<string, unknown>[] = [];
  const statements: string[] = [];
  const backgroundStatements: string[] = [];
  const prepared = new Map<string, string>();
  const watch: TestOverrides<unknown>['watch'] = (statement, statementName, isBackground) => {
    if (statementName) prepared.set(statement, statementName);
    (isBackground ? backgroundStatements : statements).push(statement);
  };
  return { lines, statements, backgroundStatements, prepared, watch };
}

type Means = Pick<TestService<TestableService>, 'publish' | 'processed' | 'consume' | 'call' | 'tablesWith'>;

function meansOf({ broker }: Awaited<TestableService['backbone']>, pool: pg.Pool): Means {
  const publish = (envelope: Envelope) => publishEnvelope(broker, envelope);
  const processed = (...envelopes: Envelope[]) => untilProcessed(pool, envelopes);
  return {
    publish,
    processed,
    async consume(...envelopes) {
      for (const envelope of envelopes) {
        await publish(envelope);
        await processed(envelope);
      }
    },
    async call(rpc, input) {
      const reply = await broker.connection.request(broker.subject(rpcSubject(rpc, 'tester')), JSON.stringify(input), { timeout: replyMs });
      return reply.json();
    },
    tablesWith: (text) => tablesWith(pool, text),
  };
}

async function tablesWith(pool: pg.Pool, text: string): Promise<readonly string[]> {
  const tables = await pool.query<{ name: string }>(`
    select quote_ident(table_name) as name from information_schema.tables where table_schema = current_schema() order by 1`);
  const looks = tables.rows.map(
    ({ name }) => `select '${name}' as name where exists (select from ${name} r where strpos(r::text, $1) > 0)`,
  );
  return (await pool.query<{ name: string }>(looks.join(' union all '), [text])).rows.map(({ name }) => name);
}

const replyMs = 60_000;

async function publishEnvelope(broker: ServiceBroker, envelope: Envelope): Promise<void> {
  const producer = envelope.source.slice(1) as Producer;
  const version = Number(envelope.dataschema.split('/v').at(-1));
  const subject = broker.subject(
    subjectOf(producer, { type: envelope.type, version }, scopeOf(producer, envelope.subject, envelope.storeid)),
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
  readonly at?: string;
  readonly clock?: FixedClock;
  readonly settings?: Readonly<Record<string, string>>;
  readonly createLog: (name: string, level: string, destination: { write(line: string): void }) => Log;
  readonly start: (environment: Readonly<Record<string, string>>, overrides: TestOverrides<Log>) => Promise<Service>;
}

export interface TestOverrides<Log> {
  readonly keys: TestIssuer['keys'];
  readonly log: Log;
  readonly now: () => Date;
  readonly timersHeld: boolean;
  readonly watch: (statement: string, name: string | undefined, isBackground: boolean) => void;
}

export interface TestService<Service extends TestableService> extends AsyncDisposable {
  readonly service: Service;
  readonly environment: Readonly<Record<string, string>>;
  readonly issuer: TestIssuer;
  readonly clock: FixedClock;
  readonly lines: readonly Record<string, unknown>[];
  /**
   * Statements for requests, events, RPCs and calls of a test, in order, without background work (jobs, refusals and the consumer's
   * positions). A test may empty the array.
   */
  readonly statements: string[];
  readonly backgroundStatements: string[];
  /** Publishing an envelope again delivers it again: the broker does not deduplicate. */
  publish(envelope: Envelope): Promise<void>;
  processed(...envelopes: Envelope[]): Promise<void>;
  consume(...envelopes: Envelope[]): Promise<void>;
  asSuperuser(text: string): Promise<void>;
  tablesWith(text: string): Promise<readonly string[]>;
  call<Q extends AnyRpc>(rpc: Q, input: RpcCallInput<Q>): Promise<{ output?: RpcOutput<Q>; problem?: string }>;
}

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
