import { retryDeadLetter, type ServiceName } from '@corner/contracts';
import { findDeadLetters } from '@corner/nats';
import { Command } from 'commander';
import { checkType } from '../operator/check-type.ts';
import { confirm } from '../operator/confirm.ts';
import {
  byOption,
  type ConnectionOptions,
  connectToServices,
  serviceOption,
  withConnectionOptions,
} from '../operator/connect-to-services.ts';
import { requireAllReplies, settleDeadLetters } from '../operator/settle-dead-letters.ts';
import { Failure } from '../screen/failure.ts';
import { green, standardOutput } from '../screen/output.ts';

interface Options extends ConnectionOptions {
  readonly service?: ServiceName;
  readonly type?: string;
  readonly all?: true;
  readonly yes?: true;
  readonly by: string;
  readonly json?: true;
}

/** `corner dead-letters retry`: lets the services process dead letters again, like any event. */
export const retryCommand = withConnectionOptions(new Command('retry'))
  .argument('[event id]', 'the id of the dead letter’s event')
  .description('Processes dead letters again, oldest first. Each takes effect once. Exit code 1 when one fails again.')
  .addOption(serviceOption('only at this service'))
  .option('--type <type>', 'all dead letters of this event type')
  .option('--all', 'all dead letters')
  .option('--yes', 'do not ask for confirmation')
  .addOption(byOption())
  .addHelpText(
    'after',
    '\nExamples:\n  npx corner dead-letters retry 0190a000-0000-7000-8000-0000000000e1\n  npx corner dead-letters retry --type order.paid --yes\n',
  )
  .action(async (eventId: string | undefined, options: Options) => {
    if (eventId === undefined && options.type === undefined && !options.all)
      throw new Failure('nothing was retried', 'no dead letter was named', 'name an event id, or --type, or --all');
    await using platform = await connectToServices(options);
    const { deadLetters, unreachable } = await findDeadLetters(platform, { ...options, ...(eventId === undefined ? {} : { eventId }) });
    if (eventId === undefined || deadLetters.length === 0) requireAllReplies(unreachable);
    const output = standardOutput();
    if (deadLetters.length === 0) {
      if (eventId !== undefined)
        throw new Failure('nothing was retried', `${eventId} is not an open dead letter`, 'npx corner dead-letters list --all');
      checkType(options.type);
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
