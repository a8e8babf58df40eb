import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const checkout = join(import.meta.dirname, '../../..');

export function documentedCommands(document: string, heading: string): readonly string[] {
  const [, section = ''] = readFileSync(join(checkout, document), 'utf8').split(`\n## ${heading}\n`);
  return [...(section.split('\n## ')[0] ?? '').matchAll(/```sh\n(.*?)```/gs)].map(([, text = '']) => text);
}

/** The commands with other days in place of the document's, all at once: a day that takes another's place is not taken for one again. */
export function withDays(commands: string, days: Readonly<Record<string, string>>): string {
  return commands.replaceAll(/\d{4}-\d\d-\d\d/g, (day) => days[day] ?? day);
}

/**
 * Runs commands of a document with this checkout's `npx corner`, without blocking the services of this process. Returns their output and
 * the exit code of the last one.
 */
export function runCommands(text: string, folder: string, env: Readonly<Record<string, string>>): Promise<readonly [string, number]> {
  const corner = join(checkout, 'packages/cli/src/main.ts');
  const npx = `npx() { shift; "${process.execPath}" "${corner}" "$@"; }\n`;
  return new Promise((resolve) =>
    execFile('sh', ['-c', npx + text], { cwd: folder, env: { ...process.env, ...env } }, (error, stdout) =>
      resolve([stdout, error === null ? 0 : Number(error.code)]),
    ),
  );
}
