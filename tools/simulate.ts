import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// Plays the history of a seed and prints it, or those of random seeds until the time is over.
//   npm run simulate -- --seed 7 --steps 100
//   npm run simulate -- --minutes 30

const { values } = parseArgs({ options: { seed: { type: 'string' }, steps: { type: 'string' }, minutes: { type: 'string' } } });
const steps = Number(values.steps ?? 24);
const minutes = Number(values.minutes ?? 0);
if (!(values.seed || minutes > 0) || !(steps > 0)) {
  process.stderr.write('npm run simulate -- --seed N [--steps M], or --minutes N [--steps M]\n');
  process.exit(2);
}

/** A round has two steps on average. */
const rounds = String(Math.ceil(steps / 2));
const end = Date.now() + minutes * 60_000;
do {
  const seeds = values.seed ?? Array.from({ length: 5 }, () => randomInt(2 ** 31)).join();
  const env = { ...process.env, SIMULATE_SEEDS: seeds, SIMULATE_ROUNDS: rounds, CORNER_TESTS: '' };
  const args = ['node_modules/jest/bin/jest.js', '--testPathPatterns=simulation/src/simulation\\.test', '-t', 'all services agree'];
  const jest = spawn(process.execPath, args, { cwd: join(import.meta.dirname, '..'), env, stdio: 'inherit' });
  const [code] = await once(jest, 'exit');
  if (code !== 0) {
    process.exitCode = 1;
    break;
  }
} while (Date.now() < end);
