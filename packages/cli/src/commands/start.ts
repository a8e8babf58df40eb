import type { RunningSystem } from '@corner/sandbox';
import { Command } from 'commander';
import { bringUp } from '../bring-up.ts';
import { dataFolder, withDataFolder } from '../data-folder.ts';
import { faint, standardOutput } from '../output.ts';
import { untilStopRequested } from '../until-stop-requested.ts';

/** `corner start`: the whole platform, until Ctrl-C. */
export const startCommand = withDataFolder(new Command('start'))
  .description(
    'Starts Postgres, NATS, the payment simulator, an inbox for messages, the services and the gateway; stays until Ctrl-C and stops them all.',
  )
  .option('--json', 'when ready, print the description of the running system as JSON')
  .addHelpText(
    'after',
    `
Examples:
  npm start
  DATABASE_URL=postgres://me:secret@localhost/corner NATS_URL=nats://localhost:4222 npm start
  STRIPE_SECRET_KEY=sk_test_… STRIPE_WEBHOOK_SECRETS=whsec_… npm start

What runs is described in .corner/run.json; each process logs to .corner/log/.
`,
  )
  .action(async (options: { data: string; json?: true }) => {
    const output = standardOutput();
    const told = untilStopRequested();
    await using system: RunningSystem = await bringUp(dataFolder(options), output, { quiet: options.json === true, stop: told.signal });
    if (options.json) output.json(system.run);
    const why = await told.stopped;
    if (!options.json) output.write(faint(output, `\n  ${why}: stopping…\n`));
    await system.stop();
    if (!options.json) output.write('  Stopped.\n');
  });
