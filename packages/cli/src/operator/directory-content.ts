import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type DirectoryFile, notUtf8, textOfBytes } from '@corner/contracts';
import { DirectoryFaults, findLooseSettings, findWrongAccounts, type ImportReport, parseDirectory } from '@corner/operator';
import { Failure } from '../screen/failure.ts';
import { green, seconds, standardOutput } from '../screen/output.ts';

export const readDirectoryFile = (file: string, make: (text: string) => unknown = JSON.parse): Promise<DirectoryFile> =>
  readContent(file, async () => make(await readTextFile(file)));

/** Reads standard input for `-`. Removes the byte order mark. Throws {@link DirectoryFaults} when the text is not UTF-8. */
export async function readTextFile(file: string): Promise<string> {
  const text = textOfBytes(file === '-' ? await buffer(process.stdin) : await readFile(file));
  if (text === null) throw new DirectoryFaults([notUtf8]);
  return text;
}

export async function readContent(name: string, read: () => unknown): Promise<DirectoryFile> {
  const what = `${name} was not applied`;
  try {
    return parseDirectory(await read());
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (error instanceof DirectoryFaults)
      throw new Failure(what, error.faults.join('\n'), 'correct the file and apply it again; nothing was published', { cause: error });
    throw new Failure(what, error instanceof Error ? error.message : String(error), 'name a file with one JSON object', { cause: error });
  }
}

/**
 * Throws a {@link Failure} that names every store with an unknown account. Without a reply of the provider it only says so: such a store
 * accepts no orders until its account is right.
 */
export async function checkAccounts(name: string, content: DirectoryFile, to: Parameters<typeof findWrongAccounts>[1]): Promise<void> {
  const faults = await findWrongAccounts(content, to).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`  unchecked  the stores’ accounts at the payment provider: ${reason}\n`);
    return [];
  });
  if (faults.length > 0)
    throw new Failure(`${name} was not applied`, faults.join('\n'), 'correct the file and apply it again; nothing was published');
}

export function printLooseSettings(content: DirectoryFile): void {
  for (const setting of findLooseSettings(content)) process.stderr.write(`  loose  ${setting}\n`);
}

interface Printing {
  readonly said?: readonly string[];
  readonly json?: true;
  readonly dryRun?: true;
  readonly startedAt: number;
}

export function printImport(report: ImportReport, { json, dryRun, startedAt, said = [] }: Printing): void {
  const output = standardOutput();
  if (json) {
    output.json(said.length > 0 ? { ...report, said } : report);
    return;
  }
  for (const sentence of said) output.write(`  read  ${sentence}\n`);
  for (const sentence of report.plan) output.write(`  ${sentence}\n`);
  const { added, changed, unchanged } = report;
  const figures = `${added} added, ${changed} changed, ${unchanged} as they were`;
  const end = dryRun ? 'a dry run: nothing was changed' : `applied by every service in ${seconds(performance.now() - startedAt)}`;
  output.write(`  ${green(output, 'ok')}  ${figures}; ${end}\n`);
}
