import { discardDeadLetter, type ServiceName } from '@corner/contracts';
import { findDeadLetters } from '@corner/nats';
import { Command } from 'commander';
import {
  byOption,
  type ConnectionOptions,
  connectToServices,
  serviceOption,
  withConnectionOptions,
} from '../operator/connect-to-services.ts';
import { requireAllReplies, settleDeadLetters } from '../operator/settle-dead-letters.ts';
import { Failure } from '../screen/failure.ts';

/** `corner dead-letters discard`: discards one dead letter. Discarding several at once is not possible on purpose. */
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
