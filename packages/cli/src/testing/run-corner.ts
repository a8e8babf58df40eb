import { execFile } from 'node:child_process';

/** The entry point of the command line. */
export const main = `${import.meta.dirname}/../main.ts`;

export interface CommandResult {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a `corner` command in a child process until it ends. */
export function runCorner(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (error, output, errors) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, errors });
    });
  });
}
