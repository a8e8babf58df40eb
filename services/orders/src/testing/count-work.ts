import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Running } from './running.ts';

/** What a piece of work did: the statements it sent, a `begin` for each transaction, and how many rows of each table it read and wrote. */
export interface Work {
  readonly statements: readonly string[];
  readonly read: Readonly<Record<string, number>>;
  readonly written: Readonly<Record<string, number>>;
}

const Rows = z.object({ table: z.string(), read: z.number(), written: z.number() });

/**
 * Runs work in one transaction, which is kept, and counts what it did. Foreign keys read the rows they refer to, and are counted too. The
 * work sends its statements through the context it is given.
 */
export async function countWork({ service }: Running, work: (context: Context) => Promise<unknown>): Promise<Work> {
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

/** The rows that this connection has read and written since the server last collected its counts. */
const counted = (tx: Transaction) =>
  tx.any(sql.type(Rows)`
    select relname as table, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read, (n_tup_ins + n_tup_upd + n_tup_del)::int as written
    from pg_stat_xact_user_tables where schemaname = current_schema order by relname`);
