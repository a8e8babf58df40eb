import { execFile } from 'node:child_process';
import { checkout, type RunningSystem } from '@corner/sandbox/system';
import { builtProgram } from '@corner/testkit';

export interface CommandResult {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

const { DATABASE_URL: _database, NATS_URL: _nats, STRIPE_SECRET_KEY: _key, ...inherited } = process.env;
/**
 * Without servers that a developer's shell may name, and with the compile cache of the system's processes, which halves the time of a short
 * program.
 */
export const programEnvironment = { NODE_COMPILE_CACHE: `${checkout}/.corner/cache/compiled`, ...inherited };

export const cornerProgram = await builtProgram('packages/cli/src/main.ts');

/** Runs as an operator who has only the address of a system's NATS server. `more` are further settings. */
export function runCorner(
  { natsUrl, services }: RunningSystem,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const settings = { NATS_URL: natsUrl, SERVICES_LEFT_OUT: services.directory ? '' : 'directory', ...more };
  return new Promise((resolve) => {
    execFile(process.execPath, [cornerProgram, ...args], { env: { ...programEnvironment, ...settings } }, (error, output, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, errors }),
    );
  });
}
