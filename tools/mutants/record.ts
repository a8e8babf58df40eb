import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mutant } from './of-callers.ts';
import type { FailedTest } from './run-suites.ts';

const heading = `# Planted faults and the tests that catch them

\`npm run mutants -- --record\` wrote this page: it runs the named test files without a fault, plants one fault at a time in a copy of the
repository, and runs the fault's test files again. A fault counts as caught by a test that passes without it and fails with it.

| planted fault | in | caught by |
| --- | --- | --- |
`;

/** Writes which test caught which fault, a row each. A fault that was not planted in this run keeps its row. */
export function recordCaught(page: string, mutants: readonly Mutant[], caught: ReadonlyMap<string, FailedTest | null>): void {
  const before = existsSync(page) ? rowsOf(readFileSync(page, 'utf8')) : new Map<string, string>();
  const rows = mutants.map(({ name, file }) => {
    const by = caught.get(name);
    const text = by ? `${by.test} (\`${by.suite}\`)` : by === null ? '**no test**' : (before.get(name) ?? 'not recorded yet');
    return `| ${name} | \`${file}\` | ${text.replaceAll('|', '\\|')} |`;
  });
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, `${heading}${rows.join('\n')}\n`);
}

const rowsOf = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/^\| (.*?) +\| `[^`]*` +\| (.*?) +\|$/gm)].map(
      ([, name = '', by = '']) => [name, by.replaceAll('\\|', '|')] as const,
    ),
  );
