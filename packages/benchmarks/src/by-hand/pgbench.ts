import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { copySchema } from './order-writes.ts';

const run = promisify(execFile);

export interface PgbenchOptions {
  readonly databaseUrl: string;
  readonly script: string;
  readonly concurrency: number;
  readonly seconds: number;
}

/** Runs a script with pgbench and prepared statements. Returns transactions per second; throws when a transaction failed. */
export async function pgbench({ databaseUrl, script, concurrency, seconds }: PgbenchOptions): Promise<number> {
  const url = new URL(databaseUrl);
  const folder = await mkdtemp(`${tmpdir()}/corner-bench-`);
  try {
    await writeFile(`${folder}/script.sql`, script);
    const { stdout } = await run(
      'pgbench',
      [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(concurrency),
        '-j',
        String(Math.min(concurrency, 2)),
        '-T',
        String(seconds),
        '-f',
        `${folder}/script.sql`,
      ],
      {
        env: {
          ...process.env,
          PGHOST: url.hostname,
          PGPORT: url.port,
          PGUSER: decodeURIComponent(url.username),
          PGPASSWORD: decodeURIComponent(url.password),
          PGDATABASE: url.pathname.slice(1),
          PGOPTIONS: `-c search_path=${copySchema}`,
        },
      },
    );
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
    const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0);
    if (!(perSecond > 0) || failed > 0) throw new Error(`pgbench failed: ${stdout}`);
    return perSecond;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether pgbench is installed. */
export async function hasPgbench(): Promise<boolean> {
  return await run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
}
