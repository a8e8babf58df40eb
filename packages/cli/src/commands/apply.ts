import { accountsIn, applyDirectory, callerOf, directoryReplies, importDirectory, readRunFile, runFileIn } from '@corner/operator';
import { Command, InvalidArgumentError } from 'commander';
import { connectToNats } from '../operator/connect-to-nats.ts';
import { operatorName, servicesOf } from '../operator/connect-to-services.ts';
import { checkAccounts, printImport, printLooseSettings, readContent, readDirectoryFile } from '../operator/directory-content.ts';
import { dataFolder, withDataFolder } from '../options.ts';
import { Failure } from '../screen/failure.ts';
import { green, seconds, standardOutput } from '../screen/output.ts';

export interface Development {
  readonly demoDirectory: (now: Date) => unknown;
  readonly registerAccounts: (paymentsUrl: string, accounts: readonly string[]) => Promise<void>;
}

interface ApplyFlags {
  readonly data: string;
  readonly nats?: string;
  readonly payments?: string;
  readonly above?: number;
  readonly json?: true;
}

export const applyCommand = (development: Development): Command =>
  withDataFolder(new Command('apply'))
    .argument('[file]', 'directory data as JSON, - for standard input (default: the demo’s own, with today’s dates)')
    .description(
      'Imports stores, menus, slots, programmes, floors, bookings, customers and staff, as directory import does, and waits until every service has applied them. Publishes them where no directory service runs.',
    )
    .option('--nats <address>', 'the NATS server (default: that of the running system)')
    .option('--payments <address>', 'a payment simulator in which to register the stores’ accounts')
    .option('--above <version>', 'publish above this version, when a service reports that it ignores older ones', parseVersion)
    .option('--json', 'print what was published as JSON')
    .addHelpText(
      'after',
      `
Example:
  npx corner apply shop.json

Without the directory service each object is published one version above its newest in the stream. The whole file is checked before anything is
published. Each fault is reported with its path in the file, and so is each setting that lets customers give themselves
stamps.
For an example see packages/sandbox/src/demo/demo-directory.json.
`,
    )
    .action(async (file: string | undefined, options: ApplyFlags) => {
      const startedAt = performance.now();
      const run = readRunFile(runFileIn(dataFolder(options)));
      const name = file ?? 'the demo directory';
      const content = await (file === undefined ? readContent(name, () => development.demoDirectory(new Date())) : readDirectoryFile(file));
      const connection = await connectToNats(options, { name: 'corner apply', what: 'nothing was applied' });
      try {
        const payments = options.payments ?? (options.nats === undefined ? run?.payments : undefined);
        if (payments) await development.registerAccounts(payments, accountsIn(content));
        const namespace = process.env.NATS_NAMESPACE ?? '';
        await checkAccounts(name, content, { connection, namespace });
        const call = callerOf({ connection, namespace, operator: operatorName() });
        if (await isImport(call, options)) {
          if (options.above !== undefined)
            throw new Failure(
              'nothing was applied',
              '--above is for a platform without the directory service',
              'the same command without it',
            );
          const report = await importDirectory(call, content, { by: operatorName() });
          printLooseSettings(content);
          printImport(report, { ...options, startedAt });
          return;
        }
        const applied = await applyDirectory(content, { connection, namespace, above: options.above ?? 0 });
        printLooseSettings(content);
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

async function isImport(call: Parameters<typeof directoryReplies>[0], options: ApplyFlags): Promise<boolean> {
  if (!servicesOf(options).includes('directory')) return false;
  try {
    return await directoryReplies(call);
  } catch (cause) {
    const why = `the directory service could not be asked: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new Failure(
      'nothing was applied',
      why,
      'NATS_USER of an operator; where that service does not run, SERVICES_LEFT_OUT=directory',
      { cause },
    );
  }
}

function parseVersion(text: string): number {
  const version = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(version)) throw new InvalidArgumentError('A version is a whole number.');
  return version;
}
