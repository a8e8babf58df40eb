import type { Database, Queries, Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { OrdersContext } from '../service.ts';
import type { Running } from './running.ts';

/** The statements that work sent, a `begin` for each transaction, and the rows of each table it read and wrote. */
export interface Work {
  readonly statements: readonly string[];
  readonly read: Readonly<Record<string, number>>;
  readonly written: Readonly<Record<string, number>>;
}

const Rows = z.object({ table: z.string(), read: z.number(), written: z.number() });

/**
 * Runs work in one transaction, which is committed, and counts its statements and rows. Reads by foreign keys count too. The work sends
 * its statements through the given context.
 */
export async function countWork({ service }: Running, work: (context: OrdersContext) => Promise<unknown>): Promise<Work> {
  return await service.database.transaction(async (tx) => {
    const statements: string[] = [];
    const noted = new Proxy(tx, {
      get(target, name) {
        if (name === 'transaction') {
          return (inner: (tx: unknown) => unknown) => {
            statements.push('begin');
            return inner(noted);
          };
        }
        if (name === 'publishing') return (inner: (tx: unknown) => unknown) => inner(noted);
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (statement: { readonly name?: string; readonly sql?: string }) => {
          if (statement?.sql) statements.push(statement.name ?? statement.sql);
          return value.call(target, statement);
        };
      },
    });
    const before = await counted(tx);
    await work({ ...service.context, database: noted as never });
    const after = await counted(tx);
    const of = (count: 'read' | 'written') =>
      Object.fromEntries(
        after.map((row, n) => [row.table, row[count] - (before[n]?.[count] ?? 0)] as const).filter(([, rows]) => rows > 0),
      );
    return { statements, read: of('read'), written: of('written') };
  });
}

const counted = (tx: Transaction) =>
  tx.any(sql.type(Rows)`
    select relname as table, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read, (n_tup_ins + n_tup_upd + n_tup_del)::int as written
    from pg_stat_xact_user_tables where schemaname = current_schema order by relname`);

/**
 * A watched context and its round trips in order: names of statements, 'begin' and 'commit', and calls of the provider and other services.
 * A test may empty the array to count only its own.
 */
export interface WatchedWork {
  readonly context: OrdersContext;
  readonly done: string[];
}

const reads = ['any', 'anyFirst', 'exists', 'many', 'manyFirst', 'maybeOne', 'maybeOneFirst', 'one', 'oneFirst', 'query'] as const;
const adapters = [
  'payments',
  'refunds',
  'accounts',
  'payouts',
  'balance',
  'disputes',
  'transfers',
  'providerEvents',
] as const satisfies readonly (keyof OrdersContext)[];

/**
 * Wraps the service's context, so that an entry point run with it is counted alone, without concurrent jobs and the relay. Concurrent
 * round trips are in the order in which they began.
 */
export function watchWork({ service: { context } }: Running): WatchedWork {
  const done: string[] = [];
  const note = (name: string) => void done.push(name);
  const watched = Object.fromEntries(adapters.map((name) => [name, watchCalls(context[name], (call) => note(`provider ${call}`))]));
  const call: OrdersContext['call'] = (rpc, input) => {
    note(`call ${rpc.name}`);
    return context.call(rpc, input);
  };
  return { context: { ...context, ...watched, call, database: watchDatabase(context.database, note) }, done };
}

function watchDatabase(database: Database, note: (name: string) => void): Database {
  const transaction: Database['transaction'] = async (work) => {
    note('begin');
    const result = await database.transaction((tx) => work(watchStatements(tx, note)));
    note('commit');
    return result;
  };
  const publishing: Database['publishing'] = (work) => database.publishing((queries) => work(watchStatements(queries, note)));
  return Object.assign(watchStatements(database, note), { transaction, publishing });
}

const watchStatements = <Q extends Queries>(queries: Q, note: (name: string) => void): Q => ({
  ...queries,
  ...Object.fromEntries(
    reads.map((read) => [
      read,
      (statement: Parameters<Queries['any']>[0]) => {
        note(statement.name ?? statement.sql);
        return queries[read](statement as never);
      },
    ]),
  ),
});

const watchCalls = <Calls extends object>(calls: Calls, note: (name: string) => void): Calls =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      (...given: never[]) => {
        note(name);
        return (call as (...given: never[]) => unknown)(...given);
      },
    ]),
  ) as Calls;
