import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface HandOptions {
  readonly databaseUrl: string;
  readonly script: string;
  readonly concurrency: number;
  readonly until: { readonly seconds: number } | { readonly transactions: number };
}

export interface HandLoad {
  readonly count: number;
  readonly perSecond: number;
}

export async function pgbench({ databaseUrl, script, concurrency, until }: HandOptions): Promise<HandLoad> {
  const url = new URL(databaseUrl);
  const folder = await mkdtemp(`${tmpdir()}/corner-bench-`);
  const threads = Math.min(concurrency, 2);
  const length = 'seconds' in until ? ['-T', `${until.seconds}`] : ['-t', `${until.transactions}`];
  try {
    await writeFile(`${folder}/script.sql`, script);
    const flags = ['-n', '-M', 'prepared', '-c', `${concurrency}`, '-j', `${threads}`, ...length, '-f', `${folder}/script.sql`];
    const { stdout } = await run('pgbench', flags, {
      env: {
        ...process.env,
        PGHOST: url.hostname,
        PGPORT: url.port,
        PGUSER: decodeURIComponent(url.username),
        PGPASSWORD: decodeURIComponent(url.password),
        PGDATABASE: url.pathname.slice(1),
        PGOPTIONS: url.searchParams.get('options') ?? '',
      },
    });
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
    const count = Number(/actually processed: (\d+)/.exec(stdout)?.[1]);
    const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0);
    if (!(perSecond > 0 && count > 0) || failed > 0) throw new Error(`pgbench failed: ${stdout}`);
    return { count, perSecond };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function hasPgbench(): Promise<boolean> {
  return await run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
}
