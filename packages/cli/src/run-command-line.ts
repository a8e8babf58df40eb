import process from 'node:process';
import { CommanderError } from 'commander';
import { corner } from './program.ts';
import { namedCommand } from './screen/fail-on-misuse.ts';
import { forCommand, forDataFolder, formatFailure, toFailure } from './screen/failure.ts';

export interface EndOfCommand {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

export async function runCommandLine(words: readonly string[]): Promise<EndOfCommand> {
  try {
    await corner.parseAsync(words, { from: 'user' });
    return { code: Number(process.exitCode ?? 0), output: '', errors: '' };
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode, output: '', errors: '' };
    const failure = forDataFolder(forCommand(toFailure(error), namedCommand(corner, words)), words);
    const { what, why, fix } = failure;
    const stack = process.env.CORNER_DEBUG && error instanceof Error ? `${error.stack}\n` : '';
    return words.includes('--json')
      ? { code: 1, output: `${JSON.stringify({ error: { what, why, fix } }, null, 2)}\n`, errors: stack }
      : { code: 1, output: '', errors: `${formatFailure(failure)}${stack}` };
  }
}
