import { randomUUID } from 'node:crypto';
import pg from 'pg';

export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Returns the first statement that the operation sends to a fake database. It is not executed. */
export async function firstStatementOf<Context>(operation: (context: Context) => Promise<unknown>): Promise<Statement> {
  const { promise: sent, resolve } = Promise.withResolvers<Statement>();
  const capture = (statement: Statement) => {
    resolve(statement);
    return new Promise<never>(() => {});
  };
  const queries = { any: capture, one: capture, maybeOne: capture };
  const publishing = (work: (publisher: object) => Promise<unknown>) => work({ ...queries, notePublished: () => {} });
  const ended = operation({ database: { ...queries, publishing }, now: () => new Date(), newId: randomUUID } as Context);
  return await Promise.race([sent, ended.then(() => Promise.reject(new Error('the operation sent no statement')))]);
}

let prepared = 0;

export async function prepare(client: pg.Client, { sql, values }: Statement): Promise<string> {
  prepared += 1;
  await client.query(`prepare bench_${prepared} as ${sql.replaceAll('$slonik_', '$')}`);
  return `execute bench_${prepared} (${values.map((value) => (value === null ? 'null' : pg.escapeLiteral(String(value)))).join(', ')})`;
}
