import { readFileSync } from 'node:fs';
import { BookKeySet, type VerifiedBook, verifyBooks } from '@corner/operator';
import { Command } from 'commander';
import { Failure } from '../screen/failure.ts';
import { green, type Output, red, standardOutput } from '../screen/output.ts';

interface Options {
  readonly keys: string;
  readonly json?: true;
}

const verifyCommand = new Command('verify')
  .description(
    'Verifies the files of closed days by the public keys alone: the signature, each row, the sums, and that each day follows the one before. Names each row that is not as it was. Exit code 1 when anything is wrong.',
  )
  .argument('<store>', 'the store’s code or id')
  .argument('<date>', 'the day of the first file, such as 2026-11-27')
  .argument('<files...>', 'the CSV of the day, and of the days after it')
  .requiredOption('--keys <place>', 'the public keys, a JWK set: a file that you kept, or the address of readBookKeys')
  .option('--json', 'print it as JSON')
  .addHelpText('after', '\nExample:\n  npx corner books verify S1 2026-11-27 book-2026-11-27.csv --keys keys.json\n')
  .action(async (store: string, date: string, files: readonly string[], options: Options) => {
    const keys = await readKeys(options.keys);
    const verified = verifyBooks(
      files.map((name) => ({ name, text: readText(name) })),
      { store, date, keys },
    );
    const output = standardOutput();
    if (options.json) output.json({ verified });
    else for (const book of verified) output.write(linesOf(output, book));
    if (verified.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
  });

export const booksCommand = new Command('books')
  .description('Shows that the days of a store are as they were closed.')
  .addHelpText('after', '\nExample:\n  npx corner books verify S1 2026-11-27 book-2026-11-27.csv --keys keys.json\n')
  .addCommand(verifyCommand);

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Failure('nothing was verified', `${file} cannot be read: ${(cause as Error).message}`, 'name a file that can be read', {
      cause,
    });
  }
}

export async function readKeys(place: string): Promise<BookKeySet> {
  try {
    const text = /^https?:\/\//.test(place) ? await (await fetch(place)).text() : readText(place);
    return BookKeySet.parse(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure(
      'nothing was verified',
      `${place} has no set of public keys (JWK)`,
      'name what /api/v1/orders/reports/keys returned',
      { cause },
    );
  }
}

function linesOf(output: Output, { file, date, number, hash, signed_by, rows, sums, faults }: VerifiedBook): string {
  if (faults.length === 0) {
    const parts = Object.entries(sums).map(([name, { rows: count }]) => `${count} ${name.replace('_', ' ')}`);
    return `  ${green(output, 'ok')}  ${file}: ${date}, day ${number} of the chain, ${rows} rows as they were signed by ${signed_by}\n        ${parts.join(', ')}\n        ${hash}\n`;
  }
  const lines = faults.map(({ line, why }) => `        ${line === null ? '' : `line ${line}: `}${why}\n`);
  return `  ${red(output, 'no')}  ${file}${date === null ? '' : `: ${date}`}\n${lines.join('')}`;
}
