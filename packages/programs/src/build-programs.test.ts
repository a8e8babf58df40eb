import { execFile } from 'node:child_process';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkout, fileOf } from './programs.ts';

const folder = `.corner/programs-${process.pid}`;
const source = `${folder}/src/main.ts`;
const write = (path: string, text: string) => writeFile(join(checkout, folder, 'src', path), text);

beforeAll(async () => {
  await mkdir(join(checkout, folder, 'src/part'), { recursive: true });
  await write('part/count.ts', 'export const count = (words: readonly string[]): number => words.length;\n');
  await write('part/greeting.txt', 'hello');
  await write(
    'main.ts',
    [
      "import { readFileSync } from 'node:fs';",
      "import { count } from './part/count.ts';",
      "import { fail } from './part/fail.ts';",
      "console.log(readFileSync(import.meta.dirname + '/part/greeting.txt', 'utf8'), count(process.argv.slice(2)));",
      "if (process.argv.includes('fail')) fail();",
    ].join('\n'),
  );
  await write('part/fail.ts', "export function fail(): never {\n  throw new Error('as planned');\n}\n");
});
afterAll(() => rm(join(checkout, folder), { recursive: true, force: true }));

const run = async (...words: string[]) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'run.ts'), source, ...words]);
  return stdout.trim();
};
const madeAt = async () => (await stat(join(checkout, fileOf(source)))).mtimeMs;

test('a program runs from one file, which is made once for the same sources, and finds the files beside its sources', async () => {
  expect(await run('one', 'two')).toBe('hello 2');
  const first = await madeAt();
  expect(await run('one')).toBe('hello 1');
  expect(await madeAt()).toBe(first);
});

test('a program whose source has changed is made again, and so is one of which a source is gone', async () => {
  await run();
  await write('part/count.ts', 'export const count = (words: readonly string[]): number => 10 * words.length;\n');
  expect(await run('one')).toBe('hello 10');
  await rm(join(checkout, folder, 'src/part/count.ts'));
  await expect(run('one')).rejects.toThrow(/Could not resolve "\.\/part\/count\.ts"/);
  await write('part/count.ts', 'export const count = (words: readonly string[]): number => words.length;\n');
  expect(await run('one')).toBe('hello 1');
});

test('with --from-source the sources run, and no file is made', async () => {
  await rm(join(checkout, folder, 'dist'), { recursive: true, force: true });
  expect(await run('--from-source')).toBe('hello 1');
  await expect(madeAt()).rejects.toThrow('ENOENT');
});

test('the stack of an error names the lines of the sources', async () => {
  await run();
  const failed = promisify(execFile)(process.execPath, ['--enable-source-maps', join(checkout, fileOf(source)), 'fail']);
  const { stderr } = await failed.then(
    () => ({ stderr: '' }),
    (error: { readonly stderr: string }) => error,
  );
  expect(stderr).toMatch(/at fail \(.*\/src\/part\/fail\.ts:2:3\)/);
  expect(stderr).toMatch(/\/src\/main\.ts:5:/);
});
