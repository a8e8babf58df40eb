import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutants } from './mutants-planted.ts';

// Plants one fault at a time in a copy of the tree and runs the tests that must notice it. A fault that nobody notices means
// a guarantee that is only written down. Run: node tools/mutants.ts [part of a name]

const checkout = join(import.meta.dirname, '..');
const wanted = mutants.filter(({ name }) => name.includes(process.argv[2] ?? ''));
const survivors: string[] = [];

for (const mutant of wanted) {
  const copy = copyOfTree();
  try {
    const file = join(copy, mutant.file);
    const source = readFileSync(file, 'utf8');
    if (source.split(mutant.find).length !== 2) throw new Error(`${mutant.file} does not hold this once: ${mutant.find}`);
    writeFileSync(
      file,
      source.replace(mutant.find, () => mutant.plant),
    );
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', '--bail', ...mutant.tests],
      { cwd: copy, encoding: 'utf8', timeout: 300_000 },
    );
    const red = status !== 0 && /^Tests: .*\d+ failed/m.test(`${stdout}${stderr}`);
    const by = /● (.*)/.exec(`${stdout}${stderr}`)?.[1];
    process.stdout.write(`${red ? 'caught  ' : 'SURVIVED'}  ${mutant.name}${red ? `  (${by})` : ''}\n`);
    if (!red) survivors.push(mutant.name);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
process.exit(survivors.length === 0 ? 0 : 1);

/** The sources as they stand, beside the packages that are installed: links inside node_modules are relative, so they lead into the copy. */
function copyOfTree(): string {
  const copy = mkdtempSync(join(checkout, '.corner/mutant-'));
  for (const name of readdirSync(checkout)) {
    if (['.git', '.corner', 'node_modules'].includes(name)) continue;
    cpSync(join(checkout, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
