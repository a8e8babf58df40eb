import type { ServiceName } from '@corner/contracts';
import { Command } from 'commander';
import { Failure } from '../failure.ts';
import { type Found, findDeadLetters } from '../operator/find-dead-letters.ts';
import { reachServices, serviceOption, type Where, withServices } from '../operator/reach-services.ts';
import { green, type Output, red, standardOutput } from '../output.ts';

/** `corner dead-letters list`: what the services could not work through. */
export const listCommand = withServices(new Command('list'))
  .description('Lists what was set aside, oldest first. Exit code 1 when a service does not answer.')
  .addOption(serviceOption('of this service alone'))
  .option('--type <type>', 'of this type of event alone')
  .option('--all', 'with those that were retried or discarded')
  .addHelpText('after', '\nExample:\n  npx corner dead-letters list --service loyalty --type order.paid\n')
  .action(async (options: Where & { service?: ServiceName; type?: string; all?: true; json?: true }) => {
    await using platform = await reachServices(options);
    const { deadLetters, silent } = await findDeadLetters(platform, { ...options, settled: options.all === true });
    const output = standardOutput();
    if (options.json) output.json({ dead_letters: deadLetters, silent });
    else if (deadLetters.length === 0 && silent.length === 0) output.write(`  ${green(output, 'ok')}  no dead letters\n`);
    else for (const deadLetter of deadLetters) output.write(linesOf(output, deadLetter));
    if (silent.length === 0) return;
    const names = silent.map(({ service }) => service).join(', ');
    if (options.json) process.exitCode = 1;
    else throw new Failure(`${names} did not answer, so there may be more`, silent[0]?.why ?? '', 'npx corner status');
  });

function linesOf(output: Output, deadLetter: Found): string {
  const { service, type, event_id, aggregate_id, dead_lettered_at, attempts, error, settled_as, settled_by, settled_at, settled_reason } =
    deadLetter;
  const mark = settled_as === null ? red(output, 'dead') : settled_as;
  const about = aggregate_id === null ? '' : ` of ${aggregate_id}`;
  const end = settled_as === null ? '' : `        by ${settled_by} at ${settled_at}${settled_reason ? `: ${settled_reason}` : ''}\n`;
  return `  ${mark}  ${event_id}  ${service}  ${type}${about}\n        ${dead_lettered_at}, tries ${attempts}: ${error}\n${end}`;
}
