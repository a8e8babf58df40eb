import { writeFile } from 'node:fs/promises';
import { DirectoryFile } from '@corner/contracts';
import { importDirectory, type MergedList, mergeCustomers, mergeMenu, readDirectory, takeOverDirectory } from '@corner/operator';
import { Command } from 'commander';
import {
  byOption,
  type ConnectionOptions,
  connectToServices,
  type Services,
  withConnectionOptions,
} from '../operator/connect-to-services.ts';
import { printImport, printLooseSettings, readDirectoryFile } from '../operator/directory-content.ts';
import { Failure } from '../screen/failure.ts';
import { green, standardOutput } from '../screen/output.ts';

interface Options extends ConnectionOptions {
  readonly by: string;
  readonly store?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const importCommand = withConnectionOptions(new Command('import'))
  .argument('<file>', 'directory data as JSON; a list of a menu or of customers with any other ending; - for standard input')
  .description('Imports directory data into the directory service: every change, or none. Lists the changes; a second import makes none.')
  .option('--store <code>', 'the store whose menu the list is; without it, the list is of customers')
  .option('--dry-run', 'list the changes and make none')
  .addOption(byOption())
  .addHelpText(
    'after',
    `
Examples:
  npx corner directory import shop.json --dry-run
  npx corner directory import menu.csv --store S1        lines such as  Flat white,3.20  or  Flat white 3.20
  npx corner directory import customers.csv              name, email, phone, language and, with accounts, id
  kubectl exec -i deploy/operator -- node dist/main.js directory import - < shop.json

Objects that a file does not name stay as they are. A list adds items, or changes their names and prices; it removes none.
`,
  )
  .action(async (file: string, options: Options) => {
    const startedAt = performance.now();
    await using services = await connectToServices(options);
    const { content, said } = await contentOf(file, options, services);
    const report = await importDirectory(services.call, content, { by: options.by, dryRun: options.dryRun === true });
    printLooseSettings(content);
    printImport(report, { ...options, startedAt, said });
  });

interface Content {
  readonly content: DirectoryFile;
  readonly said: readonly string[];
}

async function contentOf(file: string, { by, store }: Options, { call }: Services): Promise<Content> {
  let said: readonly string[] = [];
  const contentIn = (merged: MergedList): object => {
    said = merged.said;
    return merged.content;
  };
  if (store === undefined) {
    const make = async (text: string) => (isJson(file, text) ? JSON.parse(text) : contentIn(await mergeCustomers(call, by, text)));
    const content = await readDirectoryFile(file, make);
    return { content, said };
  }
  const { stores, menus } = await readDirectory(call, { by, store_code: store });
  const [found] = stores;
  if (!found) throw new Failure('nothing was imported', `there is no store with the code ${store}`, 'npx corner directory export');
  const content = await readDirectoryFile(file, (text) => contentIn(mergeMenu(text, found, menus[0])));
  return { content, said };
}

const isJson = (file: string, text: string): boolean =>
  file === '-' ? text.trimStart().startsWith('{') : file.toLowerCase().endsWith('.json');

const exportCommand = withConnectionOptions(new Command('export'))
  .argument('[file]', 'the file to write (default: standard output)')
  .description('Writes the directory as the file that an import of it needs.')
  .option('--store <code>', 'only the store with this code, and what belongs to it')
  .addOption(byOption())
  .addHelpText(
    'after',
    '\nExample:\n  npx corner directory export shop.json\n\nIt holds personal data: of customers, staff and contacts.\n',
  )
  .action(async (file: string | undefined, options: Options) => {
    await using services = await connectToServices(options);
    const { by, store } = options;
    const content = await readDirectory(services.call, { by, ...(store === undefined ? {} : { store_code: store }) });
    const output = standardOutput();
    if (file === undefined) {
      output.json(content);
      return;
    }
    // Personal data: readable by its owner only.
    await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    const counts = Object.fromEntries(Object.entries(content).flatMap(([list, { length }]) => (length > 0 ? [[list, length]] : [])));
    if (options.json) output.json(counts);
    else output.write(`  ${green(output, 'ok')}  ${figuresOf(counts)}; written to ${file}\n`);
  });

const figuresOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([list, count]) => `${list} ${count}`)
    .join(', ') || 'the directory is empty';

const takeOverCommand = withConnectionOptions(new Command('take-over'))
  .description(
    'Imports the snapshots in the stream that the directory service did not publish, or has lost, and publishes them as its own.',
  )
  .option('--dry-run', 'list the changes and make none')
  .addOption(byOption())
  .addHelpText(
    'after',
    `
Example:
  npx corner directory take-over --dry-run

First stop the other producer: the directory service is not ready as long as the stream holds newer snapshots than its own. Weekly templates
are in no snapshot: after the loss of the service's database only their next days come back.
`,
  )
  .action(async (options: Options) => {
    const startedAt = performance.now();
    await using services = await connectToServices(options);
    const report = await takeOverDirectory(services.call, { by: options.by, dryRun: options.dryRun === true });
    printImport(report, { ...options, startedAt });
  });

const listStoreCommand = withConnectionOptions(new Command('list-store'))
  .argument('<code>', 'the public code of the store')
  .description('Puts a store that its owner has created into the list of stores, before its payment account can take money.')
  .option('--with-account', 'only while its account can take money, as before')
  .addOption(byOption())
  .addHelpText('after', '\nExample:\n  npx corner directory list-store S3\n')
  .action(async (code: string, options: Options & { readonly withAccount?: true }) => {
    const startedAt = performance.now();
    await using services = await connectToServices(options);
    const { stores } = await readDirectory(services.call, { by: options.by, store_code: code });
    const [store] = stores;
    if (!store) throw new Failure('nothing was changed', `there is no store with the code ${code}`, 'npx corner directory export');
    const listing = options.withAccount ? 'with_account' : 'open';
    const report = await importDirectory(services.call, DirectoryFile.parse({ stores: [{ ...store, listing }] }), { by: options.by });
    printImport(report, { ...options, startedAt });
  });

export const directoryCommand = new Command('directory')
  .description('Imports and exports the data of the directory service, lists stores, and takes over the data of another producer.')
  .addHelpText('after', '\nExample:\n  npx corner directory import shop.json --dry-run\n')
  .addCommand(importCommand)
  .addCommand(exportCommand)
  .addCommand(listStoreCommand)
  .addCommand(takeOverCommand);
