import { verifyTips } from '@corner/operator';
import { Command } from 'commander';
import { Failure } from '../screen/failure.ts';
import { green, red, standardOutput } from '../screen/output.ts';
import { readKeys, readText } from './books.ts';

interface Options {
  readonly keys: string;
  readonly book?: string;
  readonly partial?: boolean;
  readonly json?: true;
}

const example = '\nExample:\n  npx corner tips verify statement-*.json --keys keys.json --book book.csv\n';

const verifyCommand = new Command('verify')
  .description(
    'Verifies workers’ statements of a day by the public keys alone: each signature and row of the list, and that together they are the tips of the day. Names each worker and row that is changed or missing. Exit code 1 when anything is wrong.',
  )
  .argument('<files...>', 'a worker’s share as readTipShares returned it, with its statement, or its whole response')
  .requiredOption('--keys <place>', 'the public keys, a JWK set: a file that you kept, or the address of readBookKeys')
  .option('--book <file>', 'the book of the day, as CSV: compares the tips with what was signed')
  .option('--partial', 'the statements are not all of the day: missing ones are no fault')
  .option('--json', 'print it as JSON')
  .addHelpText('after', example)
  .action(async (files: readonly string[], { keys: place, book, partial = false, json }: Options) => {
    const keys = await readKeys(place);
    const texts = files.map((name) => ({ name, text: readText(name) }));
    const verified = verify(texts, { keys, book: book === undefined ? null : { name: book, text: readText(book) }, partial });
    const output = standardOutput();
    const [yes, no] = [green(output, 'ok'), red(output, 'no')];
    if (json) output.json(verified);
    else {
      for (const { file, worker, signed_by, faults } of verified.statements) {
        const found = faults.length > 0 ? faults.map((why) => `        ${why}\n`).join('') : `        as it was signed by ${signed_by}\n`;
        output.write(`  ${faults.length > 0 ? no : yes}  ${file}: ${worker}\n${found}`);
      }
      for (const why of verified.faults) output.write(`  ${no}  ${why}\n`);
      if (isRight(verified)) output.write(`  ${yes}  ${summaryOf(verified, partial, book)}\n`);
    }
    if (!isRight(verified)) process.exitCode = 1;
  });

export const tipsCommand = new Command('tips')
  .description('Shows that the tips of a day went to those who worked.')
  .addHelpText('after', example)
  .addCommand(verifyCommand);

function verify(...[files, asked]: Parameters<typeof verifyTips>): ReturnType<typeof verifyTips> {
  try {
    return verifyTips(files, asked);
  } catch (cause) {
    throw new Failure('nothing was verified', 'a file is no share of tips', 'name what readTipShares returned, as JSON', { cause });
  }
}

const isRight = ({ statements, faults }: ReturnType<typeof verifyTips>): boolean =>
  [faults, ...statements.map((one) => one.faults)].every((all) => all.length === 0);

function summaryOf({ statements }: ReturnType<typeof verifyTips>, partial: boolean, book: string | undefined): string {
  const { date, store, workers } = statements[0]?.statement ?? {};
  const together = partial ? `${statements.length} of ${workers} statements` : `all ${workers} statements sum to the tips`;
  return `${store} ${date}: ${together}${book === undefined ? '' : `, which are those of ${book}`}`;
}
