import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mutant, mutants } from './mutants-planted.ts';

// Plants one fault at a time in a copy of the repository and runs the tests that must fail with it. A fault that no test notices
// is a guarantee without a test.
//   node tools/mutants.ts [part of a name]   plants the faults, all of them without a name
//   node tools/mutants.ts --check            checks that every fault can be planted and has tests, without running them

const checkout = join(import.meta.dirname, '..');
const argument = process.argv[2] ?? '';

const testFiles = findTestFiles();
const failures =
  argument === '--check' ? mutants.flatMap(faultsOf) : mutants.filter(({ name }) => name.includes(argument)).filter(survives);
if (failures.length > 0) process.exitCode = 1;
if (argument === '--check') for (const fault of failures) process.stderr.write(`${fault}\n`);

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
    .flatMap((folder) => readdirSync(join(checkout, folder)).map((name) => join(folder, name, 'src')))
    .filter((folder) => existsSync(join(checkout, folder)))
    .flatMap((folder) => readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.test.ts'));
}

/** Plants a mutant in a copy, runs its tests and prints the result. Returns whether no test failed. Throws when it cannot be planted. */
function survives(mutant: Mutant): boolean {
  const [fault] = faultsOf(mutant);
  if (fault) throw new Error(fault);
  const copy = copyOfRepository();
  try {
    const file = join(copy, mutant.file);
    const source = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      source.replace(mutant.find, () => mutant.plant),
    );
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', '--bail', ...mutant.tests],
      { cwd: copy, encoding: 'utf8', timeout: 900_000 },
    );
    const output = `${stdout}${stderr}`;
    const caught = status !== 0 && /^Tests: .*\d+ failed/m.test(output);
    const failedTest = /● (.*)/.exec(output)?.[1];
    process.stdout.write(`${caught ? 'caught  ' : 'SURVIVED'}  ${mutant.name}${caught ? `  (${failedTest})` : ''}\n`);
    return !caught;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Copies the sources and links to the installed packages. Links inside node_modules folders are relative, so they lead into the copy. */
function copyOfRepository(): string {
  mkdirSync(join(checkout, '.corner'), { recursive: true });
  const copy = mkdtempSync(join(checkout, '.corner/mutant-'));
  for (const name of readdirSync(checkout)) {
    if (['.git', '.corner', 'node_modules'].includes(name)) continue;
    cpSync(join(checkout, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
