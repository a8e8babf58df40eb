import { readFile } from 'node:fs/promises';
import {
  accountsIn,
  applyDirectory,
  connectNats,
  DirectoryFaults,
  demoDirectory,
  parseDirectory,
  readRunFile,
  registerAccounts,
  runFileIn,
} from '@corner/sandbox';
import { Command } from 'commander';
import { dataFolder, withDataFolder } from '../data-folder.ts';
import { Failure } from '../failure.ts';
import { green, seconds, standardOutput } from '../output.ts';

/** `corner apply FILE`: publishes directory data and waits until every service has taken it in. */
export const applyCommand = withDataFolder(new Command('apply'))
  .argument('[file]', 'directory data as JSON; the demo’s own, moved to today, when absent')
  .description('Publishes stores, menus, slots, programmes, floors, customers and staff; waits until every service has applied them.')
  .option('--nats <address>', 'the broker, where no system of this checkout runs')
  .option('--payments <address>', 'a payment simulator that shall know the stores’ accounts')
  .option('--json', 'print what was published as JSON')
  .addHelpText(
    'after',
    `
Example:
  npx corner apply shop.json

The whole file is checked before anything is sent; every fault is named by its place in the file.
An example is packages/sandbox/src/demo/demo-directory.json.
`,
  )
  .action(async (file: string | undefined, options: { data: string; nats?: string; payments?: string; json?: true }) => {
    const began = performance.now();
    const run = readRunFile(runFileIn(dataFolder(options)));
    const natsUrl = options.nats ?? process.env.NATS_URL ?? run?.nats;
    if (!natsUrl)
      throw new Failure('nothing was applied', 'no running system is known here', 'npm start, or name the broker: --nats nats://host:4222');
    const content = await readDirectory(file);
    const connection = await connectNats(natsUrl, 'corner apply');
    try {
      const payments = options.payments ?? (options.nats === undefined ? run?.payments : undefined);
      if (payments) await registerAccounts(payments, accountsIn(content));
      const applied = await applyDirectory(content, { connection, namespace: process.env.NATS_NAMESPACE ?? '' });
      const output = standardOutput();
      if (options.json) output.json(applied);
      else {
        const kinds = Object.entries(applied.published).map(([kind, count]) => `${kind} ${count}`);
        output.write(`  ${green(output, 'ok')}  ${kinds.join(', ')}; applied by every service in ${seconds(performance.now() - began)}\n`);
      }
    } finally {
      await connection.close();
    }
  });

/** The content of a file, or the demo's own of today. Every fault in it is one line of the failure. */
async function readDirectory(file: string | undefined) {
  const what = `${file ?? 'the demo directory'} was not applied`;
  try {
    return parseDirectory(file === undefined ? demoDirectory(new Date()) : JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (error instanceof DirectoryFaults)
      throw new Failure(what, error.faults.join('\n'), 'correct the file and apply it again; nothing was sent', { cause: error });
    throw new Failure(what, error instanceof Error ? error.message : String(error), 'name a file with one JSON object', { cause: error });
  }
}
