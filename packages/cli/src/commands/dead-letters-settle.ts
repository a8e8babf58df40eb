import { discardDeadLetter, retryDeadLetter, type ServiceName } from '@corner/contracts';
import { findDeadLetters } from '@corner/operator';
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
  readonly reason?: string;
  readonly by: string;
  readonly json?: true;
}

export const retryCommand = withConnectionOptions(new Command('retry'))
  .argument('[event id]', 'the id of the dead letter’s event')
  .description('Processes dead letters again, oldest first. Each takes effect once. Exit code 1 when one fails again.')
  .addOption(serviceOption('only at this service'))
  .option('--type <type>', 'all dead letters of this event type')
  .option('--all', 'all dead letters')
  .option('--yes', 'do not ask for confirmation')
  .option('--reason <text>', 'the reason, for the record')
  .addOption(byOption())
  .addHelpText(
    'after',
    '\nExamples:\n  npx corner dead-letters retry 0190a000-0000-7000-8000-0000000000e1\n  npx corner dead-letters retry --type order.paid --yes --reason "the card was made"\n',
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
      ({ service, event_id }) => platform.call(retryDeadLetter(service), { event_id, by: options.by, reason: options.reason }),
      options.json === true,
    );
    if (!retried) process.exitCode = 1;
  });

/** Discarding several at once is deliberately not possible. */
export const discardCommand = withConnectionOptions(new Command('discard'))
  .argument('<event id>', 'the id of the dead letter’s event')
  .description('Discards a dead letter: its event will never be processed. Who did it, and why, stays on record.')
  .requiredOption('--reason <text>', 'the reason, for the record')
  .addOption(serviceOption('only at this service'))
  .addOption(byOption())
  .addHelpText('after', '\nExample:\n  npx corner dead-letters discard 0190a000-0000-7000-8000-0000000000e1 --reason "a test event"\n')
  .action(async (eventId: string, options: ConnectionOptions & { service?: ServiceName; reason: string; by: string; json?: true }) => {
    await using platform = await connectToServices(options);
    const { deadLetters, unreachable } = await findDeadLetters(platform, { ...options, eventId });
    if (deadLetters.length === 0) {
      requireAllReplies(unreachable);
      throw new Failure('nothing was discarded', `${eventId} is not an open dead letter`, 'npx corner dead-letters list --all');
    }
    const { reason, by } = options;
    const discarded = await settleDeadLetters(
      deadLetters,
      'discarded',
      ({ service, event_id }) => platform.call(discardDeadLetter(service), { event_id, by, reason }),
      options.json === true,
    );
    if (!discarded) process.exitCode = 1;
  });
