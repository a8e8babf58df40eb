import { readFileSync } from 'node:fs';
import { queue } from '@corner/contracts';
import { joinLooks, type KeptHead, type QueueFault, verifyQueue } from '@corner/contracts/verify-queue';
import { Command, InvalidArgumentError } from 'commander';
import { Failure } from '../screen/failure.ts';
import { green, type Output, red, standardOutput } from '../screen/output.ts';

interface Options {
  readonly head?: readonly KeptHead[];
  readonly json?: true;
}

const verifyCommand = new Command('verify')
  .description(
    'Verifies a queue by its chain of changes, from what readQueueChain returned: no row was changed, no one joined before others or was moved, and the position is the one that the rule gives. Exit code 1 when anything is wrong.',
  )
  .argument('<files...>', 'what readQueueChain returned: a page, or several in their order')
  .option('--head <number:hash>', 'an end of the chain that queueStatus showed earlier; may be given several times', addHead)
  .option('--json', 'print it as JSON')
  .addHelpText('after', '\nExample:\n  npx corner queue verify chain.json --head 12:5b0c…\n')
  .action(async (files: readonly string[], { head = [], json }: Options) => {
    const [first, ...further] = files.map(readLook);
    if (!first) throw new Failure('nothing was done', 'no file is named', 'name a file with the response of readQueueChain');
    const look = joinLooks(first, ...further);
    const faults = await verifyQueue(look, head);
    const output = standardOutput();
    if (json) output.json({ rows: look.rows.length, faults });
    else output.write(linesOf(output, look, faults));
    if (faults.length > 0) process.exitCode = 1;
  });

export const queueCommand = new Command('queue')
  .description('Shows that no one jumped a queue.')
  .addHelpText('after', '\nExample:\n  npx corner queue verify chain.json --head 12:5b0c…\n')
  .addCommand(verifyCommand);

function addHead(text: string, heads: readonly KeptHead[] = []): KeptHead[] {
  const [, number, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined) throw new InvalidArgumentError('Write the number and the hash of the end, as 12:5b0c….');
  return [...heads, { number: Number(number), hash }];
}

function readLook(file: string) {
  try {
    return queue.readQueueChain.reply.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Failure('nothing was done', `${file} is not what readQueueChain returns`, 'name a file with its response, as JSON', {
      cause,
    });
  }
}

function linesOf(
  output: Output,
  { rows, queue_position, head, waiting }: ReturnType<typeof readLook>,
  faults: readonly QueueFault[],
): string {
  if (faults.length === 0) {
    const end = head ? `${head.number}:${head.hash}` : 'none';
    const before = waiting.filter(({ before_chain }) => before_chain).length;
    const unknown = before > 0 ? `; not known of ${before} who joined before there were rows` : '';
    return `  ${green(output, 'ok')}  ${rows.length} changes, position ${queue_position ?? 'none'}, as the rule gives it${unknown}\n        ${end}\n`;
  }
  return faults.map(({ number, why }) => `  ${red(output, 'no')}  ${number === null ? '' : `row ${number}: `}${why}\n`).join('');
}
