import { Command } from 'commander';
import { addressCommand } from './commands/address.ts';
import { applyCommand } from './commands/apply.ts';
import { canIDeployCommand } from './commands/can-i-deploy.ts';
import { clientCommand } from './commands/client.ts';
import { deadLettersCommand } from './commands/dead-letters.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventsCommand } from './commands/events.ts';
import { explainCommand } from './commands/explain.ts';
import { inboxCommand } from './commands/inbox.ts';
import { migrateCommand } from './commands/migrate-plan.ts';
import { natsUsersCommand } from './commands/nats-users.ts';
import { newCommand } from './commands/new.ts';
import { replayCommand } from './commands/replay.ts';
import { resetCommand } from './commands/reset.ts';
import { runCommand } from './commands/run.ts';
import { startCommand } from './commands/start.ts';
import { statusCommand } from './commands/status.ts';
import { stopCommand } from './commands/stop.ts';
import { streamsCommand } from './commands/streams.ts';
import { tapCommand } from './commands/tap.ts';
import { tokenCommand } from './commands/token.ts';
import { tryCommand } from './commands/try.ts';
import { failOnMisuse } from './screen/fail-on-misuse.ts';
import { version } from './system/bring-up.ts';

/** The command `corner` with all its commands. */
export const corner = new Command('corner')
  .description('Runs and operates Corner.')
  .version(version)
  .addHelpText('after', '\nExample:\n  npx corner start\n');

for (const command of [
  startCommand,
  stopCommand,
  statusCommand,
  doctorCommand,
  resetCommand,
  tryCommand,
  newCommand,
  runCommand,
  addressCommand,
  inboxCommand,
  demoCommand,
  tokenCommand,
  tapCommand,
  applyCommand,
  clientCommand,
  deadLettersCommand,
  replayCommand,
  eventsCommand,
  explainCommand,
  natsUsersCommand,
  streamsCommand,
  canIDeployCommand,
  migrateCommand,
])
  corner.addCommand(command);

failOnMisuse(corner);
