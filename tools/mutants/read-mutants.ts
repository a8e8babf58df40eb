import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fault to plant in a source file, and the tests that must fail with it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** The text to replace. The file contains it exactly once. */
  readonly find: string;
  readonly plant: string;
  /** Parts of the paths of test files, as jest takes them. */
  readonly tests: readonly string[];
  /** Variables with which the tests run. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Reads the mutants of the `.diff` files of a folder. */
export const readMutants = (folder: string): readonly Mutant[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.diff'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/^--- /m).slice(1).flatMap(mutantsOfFile));

/** Reads the mutants of one file: its path, then for each `@@ variables and tests @@ name`, the text to replace and the text to plant. */
function mutantsOfFile(text: string): Mutant[] {
  const [file = '', ...hunks] = text.split(/\n@@ /);
  return hunks.map((hunk) => {
    const [head = '', ...lines] = hunk.split('\n');
    const [words = '', name = ''] = head.split(' @@ ');
    const after = (sign: string) =>
      lines
        .filter((line) => line.startsWith(sign))
        .map((line) => line.slice(1))
        .join('\n');
    const [tests, settings] = [false, true].map((wanted) => words.split(' ').filter((word) => word.includes('=') === wanted));
    const environment = Object.fromEntries(settings?.map((setting) => setting.split('=')) ?? []);
    return { name, file, find: after('-'), plant: after('+'), tests: tests ?? [], environment };
  });
}
