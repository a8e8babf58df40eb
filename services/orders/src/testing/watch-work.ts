import type { Database, Queries } from '@corner/chassis';
import type { Context, Provider } from '../context.ts';
import type { Running } from './running.ts';

/** What an entry point did: its context, and its round trips in order. A test may empty the array to count its own. */
export interface WatchedWork {
  readonly context: Context;
  /** Names of statements, 'begin' and 'commit' of transactions, and calls of the provider and of other services. */
  readonly done: string[];
}

const reads = ['any', 'anyFirst', 'exists', 'many', 'manyFirst', 'maybeOne', 'maybeOneFirst', 'one', 'oneFirst', 'query'] as const;
const adapters = [
  'payments',
  'accounts',
  'balance',
  'disputes',
  'transfers',
  'providerEvents',
] as const satisfies readonly (keyof Provider)[];

/**
 * The service's context, watched: an entry point that is run with it is counted alone, without the jobs and the relay that run beside it.
 * What begins at the same time is in the order in which it began.
 */
export function watchWork({ service: { context } }: Running): WatchedWork {
  const done: string[] = [];
  const note = (name: string) => void done.push(name);
  const watched = Object.fromEntries(adapters.map((name) => [name, watchCalls(context[name], (call) => note(`provider ${call}`))]));
  const call: Context['call'] = (rpc, input) => {
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
  return Object.assign(watchStatements(database, note), { transaction });
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
