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
import { boundedDriver } from './bounded-driver.ts';
import { explainDuplicateEvents } from './duplicate-event.ts';
import { traceStatements, validateRows, type WatchStatement, watchStatements } from './interceptors.ts';
import { type OutboxWrites, watchOutboxWrites } from './outbox-writes.ts';
import { postgresConnection } from './postgres-connection.ts';
import { uuidv7 } from './uuids.ts';

/**
 * An open transaction. It carries the time and the identity of the unit of change: everything written in it has the same `now`, and
 * every new row takes its id from `newId`, so a test that fixes the two knows the outcome.
 */
export interface Transaction extends DatabaseTransactionConnection {
  /** When the transaction began. It does not move while the transaction runs. */
  readonly now: Date;
  /** Returns a fresh UUIDv7. */
  newId(): string;
}

/** Anything that statements can be sent to: the pool, or a transaction. */
export type Queries = Omit<CommonQueryMethods, 'transaction' | 'stream' | 'record'>;

/** The service's own schema. Single statements go through it directly; statements that belong together go through `transaction`. */
export interface Database extends Queries, AsyncDisposable {
  /**
   * Runs `work` in one transaction, commits when it returns and returns what it returned. Class 40 errors (deadlock, serialization)
   * run it again, so `work` touches nothing but the transaction.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Sends a statement before those that wait for a connection: for a check of health, since a database with much to do is not one that is away.
   */
  readonly ahead: Queries;
  /** Calls `listener` after every commit that put rows in the outbox. */
  onPublish(listener: () => void): void;
  /** Connections in use, callers that wait for one, and connections there may be. */
  state(): { readonly acquired: number; readonly waiting: number; readonly size: number };
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize?: number;
  /** Longest wait for a connection when all are taken, in milliseconds. */
  readonly waitMs?: number;
  /** Longest wait until the server accepts a connection, in milliseconds. */
  readonly connectMs?: number;
  /** Longest wait for a response of the server, in milliseconds: longer than the server's own limit, so that its error comes first. */
  readonly responseMs?: number;
  /** The clock behind `tx.now`; the system's when absent. */
  readonly now?: () => Date;
  /** The source of `tx.newId()`; {@link uuidv7} when absent. */
  readonly newId?: () => string;
  /** For tests: called with every statement sent, to count round trips. */
  readonly watch?: WatchStatement;
}

/**
 * Opens the pool. Results are validated by the schema each query names; an int8 becomes a number, or throws where a number cannot hold it.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const poolSize = options.poolSize ?? 10;
  const outboxWrites = watchOutboxWrites();
  const { connectionString, ssl } = postgresConnection(options.url);
  const pool = await createPool(connectionString, {
    ...(ssl ? { ssl } : {}),
    interceptors: [
      validateRows,
      traceStatements(options.url),
      outboxWrites.interceptor,
      ...(options.watch ? [watchStatements(options.watch)] : []),
      explainDuplicateEvents,
    ],
    // The default sends DISCARD ALL at every release: one more round trip, and it drops prepared statements. We leave no session state.
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
  return bound(pool, createSemaphore(poolSize, options.waitMs ?? 5_000), outboxWrites, identity);
}

/** The pool itself lets a caller wait without limit for a connection, so callers first pass a semaphore of its size. */
function bound(
  pool: DatabasePool,
  semaphore: Semaphore,
  outboxWrites: OutboxWrites,
  identity: { readonly now: () => Date; readonly newId: () => string },
): Database {
  /**
   * Runs work on a connection. slonik closes a connection whose work throws, and a new one costs more than most requests, so what the
   * connection itself is no part of (a refusal, a violated constraint) is thrown once it is back in the pool.
   */
  const run = <T>(work: (connection: DatabasePoolConnection) => Promise<T>, ahead = false): Promise<T> =>
    semaphore.run(
      async () => {
        const outcome = await pool.connect(async (connection) => {
          try {
            return { value: await work(connection) };
          } catch (error) {
            if (isTransient(error)) throw error;
            return { error };
          }
        });
        if ('error' in outcome) throw outcome.error;
        return outcome.value;
      },
      { ahead },
    );
  return {
    ...queriesOf(run),
    ahead: queriesOf((work) => run(work, true)),
    transaction: (work) =>
      run((connection) =>
        connection.transaction(async (tx) => {
          outboxWrites.follow(tx);
          return await work(Object.assign(tx, { now: identity.now(), newId: identity.newId }));
        }),
      ),
    onPublish: outboxWrites.onCommit,
    state: () => ({ acquired: pool.state().acquiredConnections, waiting: semaphore.waiting(), size: semaphore.size }),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** The ways to send a single statement, each by `run`. */
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
