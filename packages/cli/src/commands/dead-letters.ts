import { Command } from 'commander';
import { discardCommand } from './dead-letters-discard.ts';
import { listCommand } from './dead-letters-list.ts';
import { retryCommand } from './dead-letters-retry.ts';
import { showCommand } from './dead-letters-show.ts';

/** `corner dead-letters`: the events that a service could not process. */
export const deadLettersCommand = new Command('dead-letters')
  .description('Lists, shows, retries and discards events that a service could not process.')
  .addHelpText('after', '\nExample:\n  npx corner dead-letters list\n')
  .addCommand(listCommand)
  .addCommand(showCommand)
  .addCommand(retryCommand)
  .addCommand(discardCommand);
