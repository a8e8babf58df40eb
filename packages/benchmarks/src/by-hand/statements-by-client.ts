import pg from 'pg';
import type { HandLoad, HandOptions } from './pgbench.ts';

/** Runs the script with `pg` clients of this process, for machines without pgbench. Their time counts as the generator's. */
export async function statementsByClient({ databaseUrl, script, concurrency, until }: HandOptions): Promise<HandLoad> {
  const { draws, statements } = parse(script);
  const clients = await Promise.all(
    Array.from({ length: concurrency }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  try {
    const startedAt = performance.now();
    const isOver = (own: number) =>
      'seconds' in until ? performance.now() - startedAt >= until.seconds * 1000 : own >= until.transactions;
    let done = 0;
    await Promise.all(
      clients.map(async (client) => {
        for (let own = 0; !isOver(own); own += 1) {
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
    return { count: done, perSecond: done / ((performance.now() - startedAt) / 1000) };
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** The part of pgbench's language that the script uses: \set with random(1, n), :variables and \gset. */
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
