import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  type CommonQueryMethods,
  createPool,
  createTypeParserPreset,
  type DatabasePool,
  type DatabaseTransactionConnection,
  type Interceptor,
  type QueryResultRow,
  SchemaValidationError,
} from 'slonik';
import { createSemaphore, type Semaphore } from '../async/semaphore.ts';
import { boundedDriver } from './bounded-driver.ts';
import { explainDuplicateEvents } from './duplicate-event.ts';
import { uuidv7 } from './uuidv7.ts';

/**
 * An open transaction. It carries the time and the identity of the unit of change: everything written in it has one `now`, and every new
 * row takes its id from `newId`, so a test that holds the two holds the outcome.
 */
export interface Transaction extends DatabaseTransactionConnection {
  /** When the transaction began. It does not move while the transaction runs. */
  readonly now: Date;
  /** Returns a fresh UUIDv7. */
  newId(): string;
}
/** Whatever statements can be sent to: the pool, or a transaction. */
export type Queries = Omit<CommonQueryMethods, 'transaction' | 'stream' | 'record'>;

/** The service's own schema. Single statements go through it directly; what belongs together goes through `transaction`. */
export interface Database extends Queries, AsyncDisposable {
  /**
   * Runs `work` in one transaction and commits when it returns. Class 40 errors (deadlock, serialization) run it again,
   * so `work` touches nothing but the transaction.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Called after a commit that put rows in the outbox. */
  onPublish(listener: () => void): void;
  state(): { readonly acquired: number; readonly waiting: number; readonly size: number };
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize?: number;
  /** Longest wait for a connection when all are taken, in milliseconds. */
  readonly waitMs?: number;
  /** Longest wait for an answer of the server, in milliseconds: beyond its own limit, so that it comes first where it is there. */
  readonly responseMs?: number;
  /** The clock behind `tx.now`; the system's when absent. */
  readonly now?: () => Date;
  /** The source of `tx.newId()`; {@link uuidv7} when absent. */
  readonly newId?: () => string;
  /** For tests: sees every statement sent, to count round trips. */
  readonly watch?: (statement: string) => void;
}

/** Opens the pool. Results are validated by the schema each query names; int8 becomes a safe number or an error. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const listeners: (() => void)[] = [];
  const told = () => {
    for (const listener of listeners) listener();
  };
  const publishingTransactions = new Set<string>();
  const poolSize = options.poolSize ?? 10;
  const semaphore = createSemaphore(poolSize, options.waitMs ?? 5_000);
  const pool = await createPool(options.url, {
    interceptors: [
      validateRows,
      traceStatements,
      noticeOutboxWrites(publishingTransactions, told),
      ...(options.watch ? [watchStatements(options.watch)] : []),
      explainDuplicateEvents,
    ],
    // The default sends DISCARD ALL at every release: a round trip more, and prepared statements are lost. We leave no session state.
    resetConnection: async () => {},
    typeParsers: [
      ...createTypeParserPreset().filter(({ name }) => !replacedParsers.has(name)),
      safeInteger,
      text('timestamptz'),
      text('date'),
    ],
    driverFactory: boundedDriver(options.responseMs ?? 12_000),
    gracefulTerminationTimeout: 500,
    maxPoolSize: poolSize,
    connectionTimeout: 5_000,
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
  return bind(pool, semaphore, publishingTransactions, told, listeners, identity);
}

/** The pool itself lets who finds it empty wait for ever; turns are given out in front of it. */
function bind(
  pool: DatabasePool,
  semaphore: Semaphore,
  publishingTransactions: Set<string>,
  told: () => void,
  listeners: (() => void)[],
  identity: { readonly now: () => Date; readonly newId: () => string },
): Database {
  return {
    any: (statement) => semaphore.run(() => pool.any(statement)),
    anyFirst: (statement) => semaphore.run(() => pool.anyFirst(statement)),
    exists: (statement) => semaphore.run(() => pool.exists(statement)),
    many: (statement) => semaphore.run(() => pool.many(statement)),
    manyFirst: (statement) => semaphore.run(() => pool.manyFirst(statement)),
    maybeOne: (statement) => semaphore.run(() => pool.maybeOne(statement)),
    maybeOneFirst: (statement) => semaphore.run(() => pool.maybeOneFirst(statement)),
    one: (statement) => semaphore.run(() => pool.one(statement)),
    oneFirst: (statement) => semaphore.run(() => pool.oneFirst(statement)),
    query: (statement) => semaphore.run(() => pool.query(statement)),
    transaction: (work) =>
      semaphore.run(() =>
        pool.transaction(async (tx) => {
          tx.on('commit', ({ transactionId }) => {
            if (publishingTransactions.delete(transactionId)) told();
          });
          tx.on('rollback', ({ transactionId }) => publishingTransactions.delete(transactionId));
          return await work(Object.assign(tx, { now: identity.now(), newId: identity.newId }));
        }),
      ),
    onPublish: (listener) => listeners.push(listener),
    state: () => ({ acquired: pool.state().acquiredConnections, waiting: semaphore.state.waiting, size: semaphore.size }),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

const replacedParsers = new Set(['int8', 'timestamp', 'timestamptz', 'date']);

const safeInteger = {
  name: 'int8',
  parse(value: string): number {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new RangeError('an int8 is beyond what a number holds');
    return number;
  },
};

/** Times stay as Postgres writes them: a JS Date would lose the microseconds. Statements format them where they are answered. */
const text = (name: string) => ({ name, parse: (value: string) => value });

const validateRows: Interceptor = {
  name: 'validate-rows',
  transformRow({ resultParser }, query, row) {
    if (!resultParser) return row;
    const result = resultParser['~standard'].validate(row);
    if (result instanceof Promise) throw new TypeError('row schemas are synchronous');
    if (result.issues) throw new SchemaValidationError(query, row, result.issues as never);
    return result.value as QueryResultRow;
  },
};

const spans = new WeakMap<object, Span>();

const traceStatements: Interceptor = {
  name: 'trace-statements',
  beforeQueryExecution(context, query) {
    if (!trace.getActiveSpan()?.isRecording()) return null;
    const attributes: Attributes = { 'db.system.name': 'postgresql', 'db.query.text': query.sql };
    spans.set(context.sandbox, trace.getTracer('corner').startSpan(statementName(query), { kind: SpanKind.CLIENT, attributes }));
    return null;
  },
  afterQueryExecution(context) {
    spans.get(context.sandbox)?.end();
    return null;
  },
  queryExecutionError(context, _query, error) {
    const span = spans.get(context.sandbox);
    span?.setStatus({ code: SpanStatusCode.ERROR, message: error.name });
    span?.end();
    return null;
  },
};

/** A prepared statement's own name, else its first word. */
const statementName = (query: { readonly name?: string; readonly sql: string }): string =>
  query.name ?? `sql ${/^\s*(\w+)/.exec(query.sql)?.[1] ?? 'statement'}`;

const noticeOutboxWrites = (publishingTransactions: Set<string>, told: () => void): Interceptor => ({
  name: 'notice-tellings',
  afterQueryExecution({ transactionId }, query) {
    if (query.sql.includes('into outbox')) {
      if (transactionId === null) told();
      else publishingTransactions.add(transactionId);
    }
    return null;
  },
});

const watchStatements = (watch: (statement: string) => void): Interceptor => ({
  name: 'watch-statements',
  beforeQueryExecution(_context, query) {
    watch(query.sql);
    return null;
  },
});
