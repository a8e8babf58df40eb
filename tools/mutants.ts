import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mutant, readMutants } from './mutants/read-mutants.ts';
import { copyOfRepository, type FailedTest, runSuites } from './mutants/run-suites.ts';

// Plants one fault at a time in a copy of the repository and runs the tests that must fail with it. A fault that no test notices
// is a guarantee without a test. The tests run without a fault first: one that fails then proves nothing. A fault is stale when the
// code that it changes is another by now; it is not planted.
//   npm run mutants -- [parts of names]   plants the faults of tools/mutants/*.diff, all of them without a name
//   npm run mutants -- --check            names the stale ones and runs nothing

const checkout = join(import.meta.dirname, '..');
const options = process.argv.slice(2);
const parts = options.filter((option) => !option.startsWith('--'));
const say = (line: string) => void process.stdout.write(`${line}\n`);

const testFiles = globSync(['packages/*/{src,web}/**/*.test.ts', 'services/*/src/**/*.test.ts'], { cwd: checkout });
const named = readMutants(join(checkout, 'tools/mutants')).filter(
  ({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
);
const stale = named.filter((mutant) => {
  const why = whyStale(mutant);
  for (const reason of why) say(`STALE     ${mutant.name}: ${reason}`);
  return why.length > 0;
});
if (stale.length > 0) process.exitCode = 1;
if (!options.includes('--check')) plantAll(named.filter((mutant) => !stale.includes(mutant)));

/** Returns why a mutant cannot be planted or tested, as lines; none when it can. */
function whyStale({ file, find, tests }: Mutant): string[] {
  const path = join(checkout, file);
  const count = existsSync(path) ? readFileSync(path, 'utf8').split(find).length - 1 : null;
  const fault = count === null ? 'does not exist' : count !== 1 ? `contains this text ${count} times instead of once: ${find}` : null;
  const missing = tests.filter((test) => !testFiles.some((testFile) => testFile.includes(test)));
  return [...(fault === null ? [] : [`${file} ${fault}`]), ...missing.map((test) => `no test file matches ${test}`)];
}

/** Runs the mutants' tests without a fault, then with each fault. The exit code is 1 when a test fails without, or a fault survives. */
function plantAll(mutants: readonly Mutant[]): void {
  const copy = copyOfRepository(checkout);
  try {
    const unplanted = runSuites(copy, [...new Set(mutants.flatMap(({ tests }) => tests))]);
    for (const { suite, test } of unplanted.failed) say(`FAILS UNPLANTED  ${suite}  ${test}`);
    const sound = new Set(unplanted.ran.filter((suite) => !unplanted.failed.some((failed) => failed.suite === suite)));
    say(`${sound.size} test files pass without a fault`);
    if (unplanted.failed.length > 0) process.exitCode = 1;
    for (const mutant of mutants) {
      const by = plant(copy, mutant).find(({ suite }) => sound.has(suite));
      say(by ? `caught    ${mutant.name}  (${by.test})` : `SURVIVED  ${mutant.name}`);
      if (!by) process.exitCode = 1;
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Plants a mutant in the copy, returns the tests that fail with it, and removes it again. */
function plant(copy: string, { file, find, plant: fault, tests, environment }: Mutant): readonly FailedTest[] {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    source.replace(find, () => fault),
  );
  try {
    return runSuites(copy, tests, environment).failed;
  } finally {
    writeFileSync(path, source);
  }
}
