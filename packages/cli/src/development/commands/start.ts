import { type OptionalService, optionalServices, type ServiceName, services } from '@corner/contracts';
import type { RunningSystem } from '@corner/sandbox/system';
import { Command, InvalidArgumentError, Option } from 'commander';
import { dataFolder, withDataFolder } from '../../options.ts';
import { faint, standardOutput } from '../../screen/output.ts';
import { bringUp } from '../system/bring-up.ts';
import { untilStopRequested } from '../system/until-stop-requested.ts';

interface Options {
  readonly data: string;
  readonly port?: number;
  readonly without?: OptionalService;
  readonly only?: readonly ServiceName[];
  readonly empty?: true;
  readonly fromSource?: true;
  readonly json?: true;
}

export const startCommand = withDataFolder(new Command('start'))
  .description(
    'Starts Postgres, NATS, the payment simulator, an inbox for messages, the services, the gateway and the pages. Ctrl-C stops them all.',
  )
  .option('--port <number>', 'the gateway’s port, and no other one (default: 4000, or another where that is in use)', parsePort)
  .addOption(
    new Option('--without <service>', 'an optional service that does not run; `corner apply` then publishes in its place')
      .env('SERVICES_LEFT_OUT')
      .choices([...optionalServices]),
  )
  .addOption(
    new Option('--empty', 'no stores and people of the demo: someone new signs in at the console and opens a shop').conflicts('without'),
  )
  .addOption(
    new Option('--only <services...>', 'these services alone, without pages; recorded examples answer for the others')
      .choices([...services])
      .conflicts('without'),
  )
  .option('--from-source', 'run the sources, not the one file that is made of each program: for a debugger')
  .option('--json', 'when ready, print the description of the running system as JSON')
  .addHelpText(
    'after',
    `
Examples:
  npm start
  npx corner start --port 8080
  npm start -- --empty
  npx corner start --without directory
  npx corner start --only orders
  DATABASE_URL=postgres://me:secret@localhost/corner NATS_URL=nats://localhost:4222 npm start
  STRIPE_SECRET_KEY=sk_test_… STRIPE_WEBHOOK_SECRETS=whsec_… npm start

The running system is described in .corner/run.json. Each process logs to .corner/log/.
`,
  )
  .action(async (options: Options) => {
    const output = standardOutput();
    const stopRequest = untilStopRequested();
    await using system: RunningSystem = await bringUp(dataFolder(options), output, {
      quiet: options.json === true,
      stop: stopRequest.signal,
      port: options.port,
      empty: options.empty,
      fromSource: options.fromSource,
      without: options.without ? [options.without] : [],
      only: options.only,
    });
    if (options.json) output.json(system.run);
    const reason = await stopRequest.stopped;
    if (!options.json) output.write(faint(output, `\n  ${reason}: stopping…\n`));
    await system.stop();
    if (!options.json) output.write('  Stopped.\n');
  });

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new InvalidArgumentError('A port is a number from 1 to 65535.');
  return port;
}
