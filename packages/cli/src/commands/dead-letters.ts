import type { ServiceName } from '@corner/contracts';
import { type FoundDeadLetter, findDeadLetters } from '@corner/operator';
import { Command } from 'commander';
import { checkType } from '../operator/check-type.ts';
import { type ConnectionOptions, connectToServices, serviceOption, withConnectionOptions } from '../operator/connect-to-services.ts';
import { Failure } from '../screen/failure.ts';
import { green, type Output, red, standardOutput } from '../screen/output.ts';
import { discardCommand, retryCommand } from './dead-letters-settle.ts';
import { showCommand } from './dead-letters-show.ts';

const listCommand = withConnectionOptions(new Command('list'))
  .description('Lists dead letters, oldest first. Exit code 1 when a service does not reply.')
  .addOption(serviceOption('only of this service'))
  .option('--type <type>', 'only of this event type')
  .option('--all', 'also those that were retried or discarded')
  .addHelpText('after', '\nExample:\n  npx corner dead-letters list --service loyalty --type order.paid\n')
  .action(async (options: ConnectionOptions & { service?: ServiceName; type?: string; all?: true; json?: true }) => {
    await using platform = await connectToServices(options);
    const { deadLetters, unreachable } = await findDeadLetters(platform, { ...options, settled: options.all === true });
    if (deadLetters.length === 0) checkType(options.type);
    const output = standardOutput();
    if (options.json) output.json({ dead_letters: deadLetters, unreachable });
    else if (deadLetters.length === 0 && unreachable.length === 0) output.write(`  ${green(output, 'ok')}  no dead letters\n`);
    else for (const deadLetter of deadLetters) output.write(linesOf(output, deadLetter));
    if (unreachable.length === 0) return;
    const names = unreachable.map(({ service }) => service).join(', ');
    if (options.json) process.exitCode = 1;
    else throw new Failure(`${names} did not reply, so there may be more`, unreachable[0]?.error ?? '', 'npx corner status');
  });

export const deadLettersCommand = new Command('dead-letters')
  .description('Lists, shows, retries and discards events that a service could not process.')
  .addHelpText('after', '\nExample:\n  npx corner dead-letters list\n')
  .addCommand(listCommand)
  .addCommand(showCommand)
  .addCommand(retryCommand)
  .addCommand(discardCommand);

function linesOf(output: Output, deadLetter: FoundDeadLetter): string {
  const { service, type, event_id, aggregate_id, dead_lettered_at, attempts, error, settled_as, settled_by, settled_at, settled_reason } =
    deadLetter;
  const mark = settled_as === null ? red(output, 'dead') : settled_as;
  const about = aggregate_id === null ? '' : ` of ${aggregate_id}`;
  const end = settled_as === null ? '' : `        by ${settled_by} at ${settled_at}${settled_reason ? `: ${settled_reason}` : ''}\n`;
  return `  ${mark}  ${event_id}  ${service}  ${type}${about}\n        ${dead_lettered_at}, tries ${attempts}: ${error}\n${end}`;
}
