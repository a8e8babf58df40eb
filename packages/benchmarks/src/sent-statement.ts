import pg from 'pg';

/** A statement as an operation sends it. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The first statement that an operation sends. What it would do with the rows does not matter here. */
export async function sentBy<Context>(operation: (context: Context) => Promise<unknown>): Promise<Statement> {
  const { promise: sent, resolve } = Promise.withResolvers<Statement>();
  const note = (statement: Statement) => {
    resolve(statement);
    return new Promise<never>(() => {});
  };
  const ended = operation({ database: { any: note, one: note, maybeOne: note }, now: () => new Date() } as Context);
  return await Promise.race([sent, ended.then(() => Promise.reject(new Error('the operation sent no statement')))]);
}

let prepared = 0;

/** Prepares a statement as the service does, and answers what executes it. */
export async function prepare(client: pg.Client, { sql, values }: Statement): Promise<string> {
  prepared += 1;
  await client.query(`prepare bench_${prepared} as ${sql.replaceAll('$slonik_', '$')}`);
  return `execute bench_${prepared} (${values.map((value) => pg.escapeLiteral(String(value))).join(', ')})`;
}
