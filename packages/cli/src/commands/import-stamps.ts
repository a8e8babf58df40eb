import { importStamps, type Row, type RpcOutput, readRows, StampLine, separatorOf, stampLinesPerCall } from '@corner/contracts';
import { Command } from 'commander';
import type { z } from 'zod';
import {
  byOption,
  type ConnectionOptions,
  connectToServices,
  type Services,
  withConnectionOptions,
} from '../operator/connect-to-services.ts';
import { readTextFile } from '../operator/directory-content.ts';
import { Failure } from '../screen/failure.ts';
import { green, type Output, standardOutput } from '../screen/output.ts';

interface Options extends ConnectionOptions {
  readonly dryRun?: true;
  readonly by: string;
}

type Line = z.output<typeof StampLine>;
type Imported = RpcOutput<typeof importStamps>['lines'][number];

export const importStampsCommand = withConnectionOptions(new Command('import-stamps'))
  .argument('<file>', 'a CSV file with the columns store, customer, stamps, and if you like vouchers and id; - for standard input')
  .description('Gives customers the stamps that they bring from another system. No limit counts them, and no customer is notified.')
  .option('--dry-run', 'only list what would be done')
  .addOption(byOption())
  .addHelpText(
    'after',
    `
Example:
  npx corner import-stamps stamps.csv --dry-run

  store,customer,stamps,vouchers
  COFFEE,ana@example.com,7,
  COFFEE,+44 7700 900123,2,1

store is an id or a code; customer an id, an e-mail address or a whole phone number that the directory has published;
vouchers are rewards earned and unused. The whole file is checked before anything is written, and each line counts once:
a customer's line of a store is known by the customer, or by its column id. Staff undo the stamps as their own.
`,
  )
  .action(async (file: string, options: Options) => {
    const lines = linesOf(await readText(file), file);
    await using services = await connectToServices(options);
    const planned = await send(services, lines, { by: options.by, dry_run: true });
    const faults = [
      ...planned.flatMap((page) => page.faults).map(({ line, field, fault }) => `line ${line}: ${field} ${fault}`),
      ...sameLines(
        lines,
        planned.flatMap((page) => page.lines),
      ),
    ];
    if (faults.length > 0) throw refused(file, faults);
    const done = options.dryRun ? planned : await send(services, lines, { by: options.by, dry_run: false });
    print(
      standardOutput(),
      done.flatMap((page) => page.lines),
      options,
    );
  });

async function readText(file: string): Promise<string> {
  return await readTextFile(file).catch((error: Error) => {
    throw new Failure(`${file} was not imported`, error.message, 'name a CSV file', { cause: error });
  });
}

const refused = (file: string, faults: readonly string[]): Failure =>
  new Failure(`${file} was not imported`, faults.join('\n'), 'correct the file and import it again; nothing was written');

/** Repeating a page adds nothing, so after a failure the same command can be run again. */
async function send(
  services: Services,
  lines: readonly Line[],
  how: { readonly by: string; readonly dry_run: boolean },
): Promise<readonly RpcOutput<typeof importStamps>[]> {
  const pages: RpcOutput<typeof importStamps>[] = [];
  for (let from = 0; from < lines.length; from += stampLinesPerCall)
    pages.push(await services.call(importStamps, { ...how, lines: lines.slice(from, from + stampLinesPerCall) }));
  return pages;
}

function linesOf(text: string, file: string): readonly Line[] {
  const [header, ...rows] = readRows(text, separatorOf(text));
  const columns = (header?.cells ?? []).map((name) => name.toLowerCase());
  const missing = ['store', 'customer', 'stamps'].filter((name) => !columns.includes(name));
  if (missing.length > 0) throw refused(file, [`line 1: the columns ${missing.join(', ')} are missing`]);
  const read = rows.map((row) => readLine(columns, row));
  const lines = read.flatMap(({ line }) => line ?? []);
  const faults = read.flatMap((one) => one.faults);
  if (read.length === 0) throw refused(file, ['it has no lines']);
  if (faults.length > 0) throw refused(file, faults);
  return lines;
}

function readLine(columns: readonly string[], { cells, line, fault }: Row): ReadLine {
  const more = cells.length > columns.length ? `it has ${cells.length} cells, and there are ${columns.length} columns` : null;
  if (fault !== null || more !== null) return { line: undefined, faults: [`line ${line}: ${fault ?? more}`] };
  const cell = (name: string) => cells[columns.indexOf(name)] || undefined;
  const number = (name: string) => (/^\d+$/.test(cell(name) ?? '0') ? Number(cell(name) ?? 0) : Number.NaN);
  const { data, error } = StampLine.safeParse({
    line,
    store: cell('store') ?? '',
    customer: cell('customer') ?? '',
    id: cell('id'),
    stamps: number('stamps'),
    vouchers: number('vouchers'),
  });
  return { line: data, faults: error?.issues.map(({ path, message }) => `line ${line}: ${path.join('.')} ${message}`) ?? [] };
}

interface ReadLine {
  readonly line: Line | undefined;
  readonly faults: readonly string[];
}

/** Two lines of one customer at one store, or with one id there, in whatever spelling, would count as one. */
function sameLines(lines: readonly Line[], planned: readonly Imported[]): string[] {
  const ids = new Map(lines.map(({ line, id }) => [line, id]));
  const byKey = Map.groupBy(planned, ({ line, store_id, customer_id }) => `${store_id} ${ids.get(line) ?? customer_id}`);
  return [...byKey.values()].flatMap(([first, ...others]) =>
    others.map(({ line }) => `line ${line}: ${ids.get(line) === undefined ? 'customer' : 'id'} is that of line ${first?.line}`),
  );
}

function print(output: Output, lines: readonly Imported[], { json, dryRun }: Options & { readonly json?: true }): void {
  if (json) {
    output.json(lines);
    return;
  }
  for (const { line, store_id, customer_id, stamps, vouchers, stamp_count, repeated } of dryRun ? lines : [])
    output.write(
      repeated
        ? `  line ${line}: customer ${customer_id} at store ${store_id}: imported before\n`
        : `  line ${line}: customer ${customer_id} at store ${store_id}: ${stamps} stamps, ${vouchers} vouchers of them; then ${stamp_count} on the card\n`,
    );
  const repeated = lines.filter((line) => line.repeated).length;
  const stamps = lines.reduce((sum, line) => sum + line.stamps, 0);
  const verb = dryRun ? 'would be imported' : 'imported';
  output.write(
    `  ${green(output, 'ok')}  ${lines.length - repeated} lines with ${stamps} stamps ${verb}, ${repeated} were imported before\n`,
  );
}
