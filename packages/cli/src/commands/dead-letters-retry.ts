import { retryDeadLetter, type ServiceName } from '@corner/contracts';
import { Command } from 'commander';
import { Failure } from '../failure.ts';
import { confirm } from '../operator/confirm.ts';
import { findDeadLetters } from '../operator/find-dead-letters.ts';
import { byOption, reachServices, serviceOption, type Where, withServices } from '../operator/reach-services.ts';
import { allAnswered, settleDeadLetters } from '../operator/settle-dead-letters.ts';
import { green, standardOutput } from '../output.ts';

interface Options extends Where {
  readonly service?: ServiceName;
  readonly type?: string;
  readonly all?: true;
  readonly yes?: true;
  readonly by: string;
  readonly json?: true;
}

/** `corner dead-letters retry`: works dead letters through again, in their service, by the path of any event. */
export const retryCommand = withServices(new Command('retry'))
  .argument('[event id]', 'the event that was set aside')
  .description('Works dead letters through again, oldest first; each has its effect once. Exit code 1 when one fails again.')
  .addOption(serviceOption('at this service alone'))
  .option('--type <type>', 'all of this type')
  .option('--all', 'all there are')
  .option('--yes', 'without asking')
  .addOption(byOption())
  .addHelpText(
    'after',
    '\nExamples:\n  npx corner dead-letters retry 0190a000-0000-7000-8000-0000000000e1\n  npx corner dead-letters retry --type order.paid --yes\n',
  )
  .action(async (eventId: string | undefined, options: Options) => {
    if (eventId === undefined && options.type === undefined && !options.all)
      throw new Failure('nothing was retried', 'it was not said what', 'name an event, or --type, or --all');
    await using platform = await reachServices(options);
    const { deadLetters, silent } = await findDeadLetters(platform, { ...options, ...(eventId === undefined ? {} : { eventId }) });
    if (eventId === undefined || deadLetters.length === 0) allAnswered(silent);
    const output = standardOutput();
    if (deadLetters.length === 0) {
      if (eventId !== undefined)
        throw new Failure('nothing was retried', `${eventId} is not among the open dead letters`, 'npx corner dead-letters list --all');
      return options.json ? output.json([]) : output.write(`  ${green(output, 'ok')}  no dead letters\n`);
    }
    if (eventId === undefined)
      await confirm(`Retry ${deadLetters.length === 1 ? 'one dead letter' : `${deadLetters.length} dead letters`}?`, options);
    const retried = await settleDeadLetters(
      deadLetters,
      'retried',
      ({ service, event_id }) => platform.call(retryDeadLetter(service), { event_id, by: options.by }),
      options.json === true,
    );
    if (!retried) process.exitCode = 1;
  });
