import { readFileSync } from 'node:fs';
import type { WebhookPayload } from '@corner/contracts';
import { type DayRange, EventFeed } from '@corner/operator';
import { Command } from 'commander';
import { Failure } from '../screen/failure.ts';
import { standardOutput } from '../screen/output.ts';

interface Recount<Counted> {
  readonly description: string;
  readonly recount: (payloads: readonly WebhookPayload[], range: DayRange) => Counted;
  readonly linesOf: (counted: Counted) => string;
}

/** Makes a command that counts something from a store's events alone. It refuses pages between which an event is missing. */
export const recountCommand = <Counted>(name: string, { description, recount, linesOf }: Recount<Counted>): Command =>
  new Command('recount')
    .description(description)
    .argument('<files...>', 'what listEvents returned, page by page')
    .requiredOption('--from <day>', 'the first day, such as 2026-11-01')
    .requiredOption('--to <day>', 'the last day')
    .option('--zone <name>', 'the time zone of the store', 'Europe/London')
    .option('--json', 'print it as JSON')
    .addHelpText('after', `\nExample:\n  npx corner ${name} recount page-1.json page-2.json --from 2026-11-01 --to 2026-11-30\n`)
    .action((files: readonly string[], { json, ...range }: DayRange & { readonly json?: true }) => {
      const counted = recount(readPages(files), range);
      const output = standardOutput();
      if (json) output.json(counted);
      else output.write(linesOf(counted));
    });

function readPages(files: readonly string[]): readonly WebhookPayload[] {
  const payloads = files.flatMap((file) => readFeed(file)).sort((a, b) => a.number - b.number);
  const gap = payloads.find(({ number }, at) => at > 0 && number !== (payloads[at - 1]?.number ?? 0) + 1);
  if (!gap) return payloads;
  throw new Failure(
    'nothing was counted',
    `the event before number ${gap.number} is missing, or one is there twice`,
    'get the pages again with listEvents',
  );
}

function readFeed(file: string) {
  try {
    return EventFeed.parse(JSON.parse(readFileSync(file, 'utf8'))).events.map(({ payload }) => payload);
  } catch (cause) {
    throw new Failure('nothing was counted', `${file} is not what listEvents returns`, 'name files with its pages, as JSON', { cause });
  }
}
