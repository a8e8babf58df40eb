import pg from 'pg';
import { copySchema } from './order-writes.ts';
import type { PgbenchOptions } from './pgbench.ts';

/** Runs a pgbench script with `pg` clients of this process, for machines without pgbench. Returns transactions per second. */
export async function statementsByClient({ databaseUrl, script, concurrency, seconds }: PgbenchOptions): Promise<number> {
  const { draws, statements } = parse(script);
  const clients = await Promise.all(
    Array.from({ length: concurrency }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl, options: `-c search_path=${copySchema}` });
      await client.connect();
      return client;
    }),
  );
  try {
    const startedAt = performance.now();
    let done = 0;
    await Promise.all(
      clients.map(async (client) => {
        while (performance.now() - startedAt < seconds * 1000) {
          const variables: Record<string, unknown> = Object.fromEntries(
            draws.map(({ name, to }) => [name, 1 + Math.floor(Math.random() * to)]),
          );
          for (const { text, names, name } of statements) {
            const { rows } = await client.query({ name, text, values: names.map((variable) => variables[variable]) });
            Object.assign(variables, rows[0]);
          }
          done += 1;
        }
      }),
    );
    return done / ((performance.now() - startedAt) / 1000);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** Parses the part of pgbench's language that the script uses: \set with random(1, n), :variables and \gset. */
function parse(script: string) {
  const lines = script.split('\n').filter(Boolean);
  const draws = lines.flatMap((line) => {
    const [, name, to] = /^\\set (\w+) random\(1, (\d+)\)$/.exec(line) ?? [];
    return name ? [{ name, to: Number(to) }] : [];
  });
  const statements = lines
    .filter((line) => !line.startsWith('\\'))
    .map((line, i) => {
      const names: string[] = [];
      const text = line.replace(/ \\gset$|;$/, '').replace(/(?<!:):([a-z]\w*)/g, (_, variable: string) => {
        // A new parameter for each use, as in pgbench, because the types of two uses may differ.
        return `$${names.push(variable)}`;
      });
      return { text, names, name: `s${i}` };
    });
  return { draws, statements };
}
