import { readFileSync } from 'node:fs';
import { EventFeed, type Recounted, recountStamps } from '@corner/operator';
import { Command } from 'commander';
import { Failure } from '../screen/failure.ts';
import { standardOutput } from '../screen/output.ts';

interface Options {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly json?: true;
}

const recountCommand = new Command('recount')
  .description('Counts the stamps of a range of days by what proves them, from the store’s events alone, as readStampEvidence counts them.')
  .argument('<files...>', 'what listEvents returned, page by page')
  .requiredOption('--from <day>', 'the first day, such as 2026-11-01')
  .requiredOption('--to <day>', 'the last day')
  .option('--zone <name>', 'the time zone of the store', 'Europe/London')
  .option('--json', 'print it as JSON')
  .addHelpText('after', '\nExample:\n  npx corner stamps recount page-1.json page-2.json --from 2026-11-01 --to 2026-11-30\n')
  .action((files: readonly string[], options: Options) => {
    const payloads = files.flatMap((file) => readFeed(file)).sort((a, b) => a.number - b.number);
    const gap = payloads.find(({ number }, at) => at > 0 && number !== (payloads[at - 1]?.number ?? 0) + 1);
    if (gap)
      throw new Failure(
        'nothing was counted',
        `the event before number ${gap.number} is missing, or one is there twice`,
        'get the pages again with listEvents',
      );
    const recounted = recountStamps(payloads, options);
    const output = standardOutput();
    if (options.json) output.json(recounted);
    else output.write(linesOf(recounted));
  });

export const stampsCommand = new Command('stamps')
  .description('Shows what proves the stamps of a store.')
  .addHelpText('after', '\nExample:\n  npx corner stamps recount page-1.json --from 2026-11-01 --to 2026-11-30\n')
  .addCommand(recountCommand);

function readFeed(file: string) {
  try {
    return EventFeed.parse(JSON.parse(readFileSync(file, 'utf8'))).events.map(({ payload }) => payload);
  } catch (cause) {
    throw new Failure('nothing was counted', `${file} is not what listEvents returns`, 'name files with its pages, as JSON', { cause });
  }
}

function linesOf({ stamps, proved, evidence }: Recounted): string {
  const share = stamps === 0 ? '' : `: ${Math.floor((proved / stamps) * 100)} %`;
  const rows = evidence.map((row) => `  ${row.evidence.padEnd(11)}${row.stamps}\n`);
  return `${rows.join('')}  ${proved} of ${stamps} stamps are proved by a tap or a payment${share}\n`;
}
