import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { failuresOf, type JestReport } from './models/failures.ts';

// Plays the models of the services with random seeds until the time is over. Prints the seeds of each failure, and how to play them again.
//   npm run models -- --minutes 60

const checkout = join(import.meta.dirname, '..');
const reportFile = join(checkout, '.corner/models.json');
const seedsAtOnce = 5;

const { values } = parseArgs({ options: { minutes: { type: 'string' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  process.stderr.write('npm run models -- --minutes N\n');
  process.exit(2);
}

const end = Date.now() + minutes * 60_000;
const failures: string[] = [];
let played = 0;
while (Date.now() < end) {
  const seeds = Array.from({ length: seedsAtOnce }, () => randomInt(2 ** 31));
  failures.push(...(await play(seeds)));
  played += seeds.length;
}
process.stdout.write([`Each model has played ${played} seeds.`, ...failures, ''].join('\n'));
if (failures.length > 0) process.exitCode = 1;

async function play(seeds: readonly number[]): Promise<readonly string[]> {
  mkdirSync(join(checkout, '.corner'), { recursive: true });
  rmSync(reportFile, { force: true });
  const args = ['node_modules/jest/bin/jest.js', '--testPathPatterns=-model\\.system\\.test', '--json', `--outputFile=${reportFile}`];
  const env = { ...process.env, MODEL_SEEDS: seeds.join(','), CORNER_TESTS: '' };
  const jest = spawn(process.execPath, args, { cwd: checkout, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(jest, 'exit');
  if (code === 0) return [];
  const found = failuresOf(readReport(), checkout, seeds);
  return found.length > 0 ? found : [`jest ended with ${code}, with the seeds ${seeds.join(',')}.`];
}

function readReport(): JestReport {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    return { testResults: [] };
  }
}
