import { createInterface } from 'node:readline/promises';
import { Failure } from '../screen/failure.ts';

/** Throws a {@link Failure} when confirmation is not given or there is no terminal. */
export async function confirm(question: string, { yes }: { readonly yes?: true }): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY)
    throw new Failure('nothing was done', `${question} There is no terminal to confirm this.`, 'the same command with --yes');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await reader.question(`  ${question} [y/N] `).catch(() => {
      process.stderr.write('\n');
      return '';
    });
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    reader.close();
  }
  throw new Failure('nothing was done', 'it was not confirmed', 'the same command, confirmed with y');
}
