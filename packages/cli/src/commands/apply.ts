import { readFile } from 'node:fs/promises';
import { demoDirectory } from '@corner/sandbox/demo';
import {
  accountsIn,
  applyDirectory,
  DirectoryFaults,
  findLooseSettings,
  findWrongAccounts,
  parseDirectory,
  registerAccounts,
} from '@corner/sandbox/directory';
import { readRunFile, runFileIn } from '@corner/sandbox/system';
import { Command } from 'commander';
import { dataFolder, withDataFolder } from '../arguments/data-folder.ts';
import { connectToNats } from '../operator/connect-to-nats.ts';
import { Failure } from '../screen/failure.ts';
import { green, seconds, standardOutput } from '../screen/output.ts';

/** `corner apply FILE`: publishes directory data and waits until every service has processed it. */
export const applyCommand = withDataFolder(new Command('apply'))
  .argument('[file]', 'directory data as JSON (default: the demo’s own, with today’s dates)')
  .description(
    'Publishes stores, menus, slots, programmes, floors, bookings, customers and staff, and waits until every service has applied them.',
  )
  .option('--nats <address>', 'the NATS server (default: that of the running system)')
  .option('--payments <address>', 'a payment simulator in which to register the stores’ accounts')
  .option('--json', 'print what was published as JSON')
  .addHelpText(
    'after',
    `
Example:
  npx corner apply shop.json

The whole file is checked before anything is published. Each fault is reported with its path in the file, and so is each
setting that lets customers give themselves stamps.
For an example see packages/sandbox/src/demo/demo-directory.json.
`,
  )
  .action(async (file: string | undefined, options: { data: string; nats?: string; payments?: string; json?: true }) => {
    const startedAt = performance.now();
    const run = readRunFile(runFileIn(dataFolder(options)));
    const content = await readDirectory(file);
    const connection = await connectToNats(options, { name: 'corner apply', what: 'nothing was applied' });
    try {
      const payments = options.payments ?? (options.nats === undefined ? run?.payments : undefined);
      if (payments) await registerAccounts(payments, accountsIn(content));
      const namespace = process.env.NATS_NAMESPACE ?? '';
      await checkAccounts(file, content, { connection, namespace });
      const applied = await applyDirectory(content, { connection, namespace });
      // On standard error, so that --json prints nothing but JSON.
      for (const setting of findLooseSettings(content)) process.stderr.write(`  loose  ${setting}\n`);
      const output = standardOutput();
      if (options.json) output.json(applied);
      else {
        const kinds = Object.entries(applied.published).map(([kind, count]) => `${kind} ${count}`);
        output.write(
          `  ${green(output, 'ok')}  ${kinds.join(', ')}; applied by every service in ${seconds(performance.now() - startedAt)}\n`,
        );
      }
    } finally {
      await connection.close();
    }
  });

/**
 * Throws a {@link Failure} that names every store whose account the payment provider does not know. When that cannot be asked, a sentence on
 * standard error says so, and the directory is applied: such a store accepts no orders until its account is right.
 */
async function checkAccounts(
  file: string | undefined,
  content: ReturnType<typeof parseDirectory>,
  to: Parameters<typeof findWrongAccounts>[1],
): Promise<void> {
  const faults = await findWrongAccounts(content, to).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`  unchecked  the stores’ accounts at the payment provider: ${reason}\n`);
    return [];
  });
  if (faults.length > 0)
    throw new Failure(
      `${file ?? 'the demo directory'} was not applied`,
      faults.join('\n'),
      'correct the file and apply it again; nothing was published',
    );
}

/** Reads a directory file, or the demo's own directory. Throws a {@link Failure} that lists every fault. */
async function readDirectory(file: string | undefined) {
  const what = `${file ?? 'the demo directory'} was not applied`;
  try {
    return parseDirectory(file === undefined ? demoDirectory(new Date()) : JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (error instanceof DirectoryFaults)
      throw new Failure(what, error.faults.join('\n'), 'correct the file and apply it again; nothing was published', { cause: error });
    throw new Failure(what, error instanceof Error ? error.message : String(error), 'name a file with one JSON object', { cause: error });
  }
}
