import { demoDirectory } from '@corner/sandbox/demo';
import { registerAccounts } from '@corner/sandbox/payments';
import { Command } from 'commander';
import { applyCommand } from './commands/apply.ts';
import { auditCommand } from './commands/audit.ts';
import { booksCommand } from './commands/books.ts';
import { canIDeployCommand } from './commands/can-i-deploy.ts';
import { consumersCommand } from './commands/consumers.ts';
import { deadLettersCommand } from './commands/dead-letters.ts';
import { directoryCommand } from './commands/directory.ts';
import { eraseCommand } from './commands/erase.ts';
import { eventsCommand } from './commands/events.ts';
import { explainCommand } from './commands/explain.ts';
import { importStampsCommand } from './commands/import-stamps.ts';
import { natsUsersCommand } from './commands/nats-users.ts';
import { proofCommand } from './commands/proof.ts';
import { queueCommand } from './commands/queue.ts';
import { replayCommand } from './commands/replay.ts';
import { stampsCommand } from './commands/stamps.ts';
import { streamsCommand } from './commands/streams.ts';
import { tagsCommand } from './commands/tags.ts';
import { tipsCommand } from './commands/tips.ts';
import { waitsCommand } from './commands/waits.ts';
import { addressCommand } from './development/commands/address.ts';
import { clientCommand } from './development/commands/client.ts';
import { demoCommand } from './development/commands/demo.ts';
import { doctorCommand } from './development/commands/doctor.ts';
import { inboxCommand } from './development/commands/inbox.ts';
import { migrateCommand } from './development/commands/migrate-plan.ts';
import { newCommand } from './development/commands/new.ts';
import { playEventCommand } from './development/commands/play-event.ts';
import { resetCommand } from './development/commands/reset.ts';
import { runCommand } from './development/commands/run.ts';
import { startCommand } from './development/commands/start.ts';
import { statusCommand } from './development/commands/status.ts';
import { stopCommand } from './development/commands/stop.ts';
import { tapCommand } from './development/commands/tap.ts';
import { tokenCommand } from './development/commands/token.ts';
import { tryCommand } from './development/commands/try.ts';
import { version } from './development/system/bring-up.ts';
import { failOnMisuse } from './screen/fail-on-misuse.ts';

export const corner = new Command('corner')
  // Keeps a command's options apart from those of its parent command.
  .enablePositionalOptions()
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
  auditCommand,
  booksCommand,
  applyCommand({ demoDirectory, registerAccounts }),
  directoryCommand,
  eraseCommand,
  consumersCommand,
  clientCommand,
  deadLettersCommand,
  replayCommand,
  eventsCommand.addCommand(playEventCommand),
  explainCommand,
  importStampsCommand,
  natsUsersCommand,
  proofCommand,
  queueCommand,
  stampsCommand,
  waitsCommand,
  streamsCommand,
  tagsCommand,
  tipsCommand,
  canIDeployCommand,
  migrateCommand,
])
  corner.addCommand(command);

failOnMisuse(corner);
