import { createInterface } from 'node:readline/promises';
import { Failure } from '../failure.ts';

/** Resolves when whoever is at the terminal agrees, or said so before; else throws a {@link Failure}, and nothing was done. */
export async function confirm(question: string, { yes }: { readonly yes?: true }): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new Failure('nothing was done', `${question} Nobody is here to say so.`, 'the same command with --yes');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    if (/^y(es)?$/i.test((await reader.question(`  ${question} [y/N] `)).trim())) return;
  } finally {
    reader.close();
  }
  throw new Failure('nothing was done', 'you did not say yes', 'the same command, and y');
}
