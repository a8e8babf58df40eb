import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { builtProgram } from '@corner/testkit';

export const main = await builtProgram('packages/cli/src/main.ts');

export interface CommandResult {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

export function runCorner(args: readonly string[], env: NodeJS.ProcessEnv = process.env, input = ''): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], { env }, (error, output, errors) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, errors });
    });
    child.stdin?.on('error', () => {}).end(input);
  });
}

export async function endWithoutReader(args: readonly string[]): Promise<{ readonly code: number | null; readonly errors: string }> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, errors };
}
