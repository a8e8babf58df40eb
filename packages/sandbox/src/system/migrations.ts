import { describeExit, startChild } from './child.ts';
import { errorLines } from './error-lines.ts';

export interface MigrationOptions {
  readonly service: string;
  readonly cwd: string;
  /** An administrator's address of the database, and the service's own. */
  readonly adminUrl: string;
  readonly roleUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
}

/** Runs a service's own migration program. Rejects with the end of its output when it fails. */
export async function migrateService({ service, cwd, adminUrl, roleUrl, env, logFile }: MigrationOptions): Promise<void> {
  const child = startChild({
    program: `${cwd}/src/migrate.ts`,
    cwd,
    env: { ...env, MIGRATION_DATABASE_URL: adminUrl, DATABASE_URL: roleUrl },
    logFile,
  });
  const exit = await child.exited;
  if (exit.code === 0) return;
  throw new Error(`the migrations of ${service} failed: the program ${describeExit(exit)}\n${errorLines(logFile)}`.trimEnd());
}
