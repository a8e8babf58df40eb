import { discardDeadLetter, type ServiceName } from '@corner/contracts';
import { Command } from 'commander';
import { Failure } from '../failure.ts';
import { findDeadLetters } from '../operator/find-dead-letters.ts';
import { byOption, reachServices, serviceOption, type Where, withServices } from '../operator/reach-services.ts';
import { allAnswered, settleDeadLetters } from '../operator/settle-dead-letters.ts';

/** `corner dead-letters discard`: gives one dead letter up. There is no way to give up many at once. */
export const discardCommand = withServices(new Command('discard'))
  .argument('<event id>', 'the event that was set aside')
  .description('Gives a dead letter up: its effects never happen. Who and why stay on record.')
  .requiredOption('--reason <words>', 'why, for the record')
  .addOption(serviceOption('at this service alone'))
  .addOption(byOption())
  .addHelpText('after', '\nExample:\n  npx corner dead-letters discard 0190a000-0000-7000-8000-0000000000e1 --reason "a test of Tuesday"\n')
  .action(async (eventId: string, options: Where & { service?: ServiceName; reason: string; by: string; json?: true }) => {
    await using platform = await reachServices(options);
    const { deadLetters, silent } = await findDeadLetters(platform, { ...options, eventId });
    if (deadLetters.length === 0) {
      allAnswered(silent);
      throw new Failure('nothing was discarded', `${eventId} is not among the open dead letters`, 'npx corner dead-letters list --all');
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
