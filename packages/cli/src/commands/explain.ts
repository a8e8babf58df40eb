import { type ProblemCode, problems } from '@corner/contracts';
import { Command } from 'commander';
import { dataFolder } from '../data-folder.ts';
import { Failure } from '../failure.ts';
import { gatherStory, type OutboxEntry } from '../operator/gather-story.ts';
import { reachServices, type Where, withServices } from '../operator/reach-services.ts';
import { readLogs } from '../operator/read-logs.ts';
import { faint, type Output, standardOutput } from '../output.ts';

/** `corner explain`: what happened, in sentences, from the records of those who did it. */
export const explainCommand = withServices(new Command('explain'))
  .argument('<id>', 'a request id, an order, an order number, a payment intent, an event, a queue entry, or an error code')
  .description('Tells what happened, in order of time, from the services’ own records. Exit code 1 when nothing is known.')
  .option('--logs <folder>', 'log files to read besides, or - for the standard input; those of this checkout when absent')
  .addHelpText(
    'after',
    `
Examples:
  npx corner explain 019a1b2c-3d4e-7f00-8a1b-2c3d4e5f6071
  npx corner explain SLOT_JUST_FILLED
  kubectl logs -l app=gateway | npx corner explain 019a1b2c-3d4e-7f00-8a1b-2c3d4e5f6071 --logs -
`,
  )
  .action(async (id: string, options: Where & { logs?: string; json?: true }) => {
    const output = standardOutput();
    const code = id.toUpperCase().replaceAll('-', '_');
    if (code in problems) return explainCode(output, code as ProblemCode, options.json === true);
    await using platform = await reachServices(options);
    const { facts: known, silent } = await gatherStory(platform, id);
    const logs = options.logs ?? (options.nats === undefined ? `${dataFolder(options)}/log` : undefined);
    const logged = logs === undefined ? [] : await readLogs(logs, id);
    const facts = [...known, ...logged].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    if (options.json) output.json({ id, facts, silent });
    else publish(output, id, facts, silent.length);
    if (facts.length === 0 && silent.length === 0)
      throw new Failure(
        `nothing is on record under ${id}`,
        'a request that was granted and changed nothing leaves no record',
        'look for it in the logs: request_id',
      );
    if (silent.length > 0) {
      if (options.json) process.exitCode = 1;
      else
        throw new Failure(
          `${silent.map(({ service }) => service).join(', ')} did not answer: there may be more`,
          silent[0]?.why ?? '',
          'npx corner status',
        );
    }
  });

function publish(output: Output, id: string, facts: readonly OutboxEntry[], silent: number): void {
  let day = '';
  for (const { at, sentence } of facts) {
    const [date = '', time = ''] = at.split('T');
    if (date !== day) output.write(`  ${date}\n`);
    day = date;
    output.write(`  ${faint(output, time.slice(0, 12).padEnd(12))}  ${sentence}\n`);
  }
  const traces = [...new Set(facts.flatMap(({ trace_id }) => trace_id ?? []))];
  const others = [...new Set(facts.flatMap(({ of }) => of ?? []))].filter((other) => other !== id);
  if (traces.length > 0) output.write(`\n  Traces  ${traces.slice(0, 5).join('\n          ')}\n`);
  if (others.length > 0)
    output.write(
      `\n  More    ${others
        .slice(0, 5)
        .map((other) => `npx corner explain ${other}`)
        .join('\n          ')}\n`,
    );
  if (facts.length > 0 && silent === 0) {
    const codes = [...new Set(facts.flatMap(({ sentence }) => / with \d{3} ([A-Z_]+)\b/.exec(sentence)?.[1] ?? []))];
    for (const code of codes.filter((each): each is ProblemCode => each in problems)) {
      output.write('\n');
      explainCode(output, code, false);
    }
  }
}

function explainCode(output: Output, code: ProblemCode, json: boolean): void {
  const { status, message, cause, fix } = problems[code];
  if (json) output.json({ code, status, message, cause, fix });
  else output.write(`  ${code}, answered with ${status}\n  means   ${message}\n  cause   ${cause}\n  fix     ${fix}\n`);
}
