import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants/of-callers.ts';
import { mutants } from './mutants/planted.ts';
import { recordCaught } from './mutants/record.ts';
import { copyOfRepository, type FailedTest, runSuites } from './mutants/run-suites.ts';

// Plants one fault at a time in a copy of the repository and runs the tests that must fail with it. A fault that no test notices
// is a guarantee without a test. The tests run without a fault first: one that fails then proves nothing.
//   npm run mutants -- [parts of names]            plants the faults, all of them without a name
//   npm run mutants -- --record [parts of names]   does so and writes .corner/planted-faults.md, which git ignores
//   npm run mutants -- --check                     checks that every fault can be planted and has tests, without running them

const checkout = join(import.meta.dirname, '..');
const page = join(checkout, '.corner/planted-faults.md');
const options = process.argv.slice(2);
const parts = options.filter((option) => !option.startsWith('--'));
const chosen = mutants.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
const say = (line: string) => void process.stdout.write(`${line}\n`);

const testFiles = findTestFiles();
const faults = (options.includes('--check') ? mutants : chosen).flatMap(faultsOf);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
else if (!options.includes('--check')) plantAll();

/** Why a mutant cannot be planted or tested, as lines; none when it can. */
function faultsOf({ name, file, find, tests }: Mutant): string[] {
  const path = join(checkout, file);
  const count = existsSync(path) ? readFileSync(path, 'utf8').split(find).length - 1 : null;
  const fault = count === null ? 'does not exist' : count !== 1 ? `contains this text ${count} times instead of once: ${find}` : null;
  return [
    ...(fault === null ? [] : [`${name}: ${file} ${fault}`]),
    ...tests
      .filter((test) => !testFiles.some((testFile) => testFile.includes(test)))
      .map((test) => `${name}: no test file matches ${test}`),
  ];
}

function findTestFiles(): string[] {
  return ['packages', 'services']
    .flatMap((folder) => readdirSync(join(checkout, folder)).flatMap((name) => [join(folder, name, 'src'), join(folder, name, 'web')]))
    .filter((folder) => existsSync(join(checkout, folder)))
    .flatMap((folder) => readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.test.ts'));
}

/** Runs the chosen mutants' tests without a fault, then with each fault. The exit code is 1 when a test fails without, or a fault survives. */
function plantAll(): void {
  const copy = copyOfRepository(checkout);
  const caught = new Map<string, FailedTest | null>();
  try {
    const unplanted = runSuites(copy, [...new Set(chosen.flatMap(({ tests }) => tests))]);
    for (const { suite, test } of unplanted.failed) say(`FAILS UNPLANTED  ${suite}  ${test}`);
    const sound = new Set(unplanted.ran.filter((suite) => !unplanted.failed.some((failed) => failed.suite === suite)));
    say(`${sound.size} test files pass without a fault`);
    for (const mutant of chosen) {
      const by = plant(copy, mutant).find(({ suite }) => sound.has(suite)) ?? null;
      caught.set(mutant.name, by);
      say(by ? `caught    ${mutant.name}  (${by.test})` : `SURVIVED  ${mutant.name}`);
      if (options.includes('--record')) recordCaught(page, mutants, caught);
    }
    if (unplanted.failed.length > 0 || [...caught.values()].includes(null)) process.exitCode = 1;
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
