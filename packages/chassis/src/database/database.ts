import {
  type CommonQueryMethods,
  createPool,
  createTypeParserPreset,
  type DatabasePool,
  type DatabasePoolConnection,
  type DatabaseTransactionConnection,
} from 'slonik';
import { createSemaphore, type Semaphore } from '../async/semaphore.ts';
import { isTransient } from '../errors/is-transient.ts';
import { refusalOfErased } from '../errors/unauthenticated.ts';
import { currentLogFields } from '../telemetry/log.ts';
import { boundedDriver } from './bounded-driver.ts';
import { explainDuplicateEvents } from './duplicate-event.ts';
import { traceStatements, validateRows, type WatchStatement, watchStatements } from './interceptors.ts';
import { endsWhenSilent } from './lock-client.ts';
import { postgresConnection } from './postgres-connection.ts';
import type { Turns } from './turns.ts';
import { uuidv7 } from './uuids.ts';

/** An open transaction, with the time and identity of the unit of change: everything in it has the same `now`, and ids from `newId`. */
export interface Transaction extends DatabaseTransactionConnection, Publisher {
  readonly now: Date;
  newId(): string;
}

/** Events are published through it, and its commit wakes the relay. `notePublished` is called when a statement writes events. */
export interface Publisher {
  notePublished(): void;
}

export type Queries = Omit<CommonQueryMethods, 'transaction' | 'stream' | 'record'>;

export interface Database extends Queries, AsyncDisposable {
  /** Runs `work` in one transaction and commits. A deadlock or serialization failure runs it again, so it must touch nothing else. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work` without a transaction: for a single statement that makes its change and writes the events of it. */
  publishing<T>(work: (queries: Queries & Publisher) => Promise<T>): Promise<T>;
  /** Statements here go before those that wait for a connection: for health checks, since a busy database is not one that is away. */
  readonly ahead: Queries;
  onPublish(listener: () => void): void;
  state(): { readonly acquired: number; readonly waiting: number; readonly size: number };
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize?: number;
  readonly waitMs?: number;
  readonly connectMs?: number;
  readonly responseMs?: number;
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly watch?: WatchStatement;
  readonly turns?: Turns | undefined;
}

/**
 * Opens the pool. Rows are validated by each query's schema; an int8 becomes a number, or throws where a number cannot hold it. `waitMs`
 * limits the wait for a connection when all are taken. `responseMs` must exceed the server's own limit, so that its error comes first.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const poolSize = options.poolSize ?? 5;
  const { connectionString, ssl } = postgresConnection(options.url);
  const pool = await createPool(endedWhenSilent(connectionString), {
    ...(ssl ? { ssl } : {}),
    interceptors: [
      validateRows,
      traceStatements(options.url),
      ...(options.watch ? [watchStatements(options.watch)] : []),
      explainDuplicateEvents,
    ],
    // The default sends DISCARD ALL at every release: one more round trip, and it drops prepared statements. No session state is left here.
    resetConnection: async () => {},
    typeParsers: [
      ...createTypeParserPreset().filter(({ name }) => !replacedParsers.has(name)),
      safeInteger,
      unparsed('timestamptz'),
      unparsed('date'),
    ],
    driverFactory: boundedDriver(options.responseMs ?? 12_000),
    gracefulTerminationTimeout: 500,
    maxPoolSize: poolSize,
    connectionTimeout: options.connectMs ?? 5_000,
    connectionRetryLimit: 0,
    idleTimeout: 60_000,
    // The role carries the same limits (see migrate.ts); these bound a connection whose role was made elsewhere.
    statementTimeout: 10_000,
    idleInTransactionSessionTimeout: 15_000,
    transactionRetryLimit: 20,
    queryRetryLimit: 0,
    captureStackTrace: false,
  });
  pool.on('error', () => {}); // An idle connection that dies is replaced on next use; without a listener it would end the process.
  const identity = { now: options.now ?? (() => new Date()), newId: options.newId ?? uuidv7 };
  return bound(pool, createSemaphore(poolSize, options.waitMs ?? 5_000), identity, options.turns);
}

function endedWhenSilent(address: string): string {
  const url = new URL(address);
  const settings = endsWhenSilent.map((setting) => `-c ${setting.replaceAll(/[ ']/g, '')}`);
  url.searchParams.set('options', [url.searchParams.get('options'), ...settings].filter(Boolean).join(' '));
  return url.href;
}

/** The pool itself lets a caller wait without limit, so callers first pass a semaphore of its size. */
function bound(
  pool: DatabasePool,
  semaphore: Semaphore,
  identity: { readonly now: () => Date; readonly newId: () => string },
  turns?: Turns,
): Database {
  /**
   * Runs work on a connection. slonik closes one whose work throws, and a new one is costly, so errors that are not the connection's (a
   * refusal, a violated constraint) are thrown once it is back in the pool. An error about a row of an erased customer becomes the refusal
   * of their token.
   */
  const run = <T>(work: (connection: DatabasePoolConnection) => Promise<T>, ahead = false): Promise<T> =>
    turns ? turns.take(() => runNow(work, ahead), { ...currentLogFields() }) : runNow(work, ahead);
  const runNow = <T>(work: (connection: DatabasePoolConnection) => Promise<T>, ahead: boolean): Promise<T> =>
    semaphore.run(
      async () => {
        const outcome = await pool.connect(async (connection) => {
          try {
            return { value: await work(connection) };
          } catch (error) {
            if (isTransient(error)) throw error;
            return { error: refusalOfErased(error) };
          }
        });
        if ('error' in outcome) throw outcome.error;
        return outcome.value;
      },
      { ahead },
    );
  const queries = queriesOf(run);
  const listeners: (() => void)[] = [];
  const wakingAfter = async <T>(work: (publisher: Publisher) => Promise<T>): Promise<T> => {
    let published = false;
    const notePublished = (): void => {
      published = true;
    };
    const result = await work({ notePublished });
    if (published) for (const listener of listeners) listener();
    return result;
  };
  return {
    ...queries,
    ahead: queriesOf((work) => run(work, true)),
    transaction: (work) =>
      wakingAfter((publisher) =>
        run((connection) =>
          connection.transaction((tx) => work(Object.assign(tx, publisher, { now: identity.now(), newId: identity.newId }))),
        ),
      ),
    publishing: (work) => wakingAfter((publisher) => work({ ...queries, ...publisher })),
    onPublish: (listener) => void listeners.push(listener),
    state: () => ({ acquired: pool.state().acquiredConnections, waiting: semaphore.waiting(), size: semaphore.size }),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

const queriesOf = (run: <T>(work: (connection: DatabasePoolConnection) => Promise<T>) => Promise<T>): Queries => ({
  any: (statement) => run((connection) => connection.any(statement)),
  anyFirst: (statement) => run((connection) => connection.anyFirst(statement)),
  exists: (statement) => run((connection) => connection.exists(statement)),
  many: (statement) => run((connection) => connection.many(statement)),
  manyFirst: (statement) => run((connection) => connection.manyFirst(statement)),
  maybeOne: (statement) => run((connection) => connection.maybeOne(statement)),
  maybeOneFirst: (statement) => run((connection) => connection.maybeOneFirst(statement)),
  one: (statement) => run((connection) => connection.one(statement)),
  oneFirst: (statement) => run((connection) => connection.oneFirst(statement)),
  query: (statement) => run((connection) => connection.query(statement)),
});

const replacedParsers = new Set(['int8', 'timestamp', 'timestamptz', 'date']);

const safeInteger = {
  name: 'int8',
  parse(value: string): number {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new RangeError('an int8 is too large for a number');
    return number;
  },
};

/** Times stay as Postgres writes them, because a JS Date would lose the microseconds. Statements format them with `instantOf`. */
const unparsed = (name: string) => ({ name, parse: (value: string) => value });
