import { randomInt } from 'node:crypto';
import process from 'node:process';
import { parseArgs } from 'node:util';
import setUp from '@corner/testkit/global-setup';
import { seedsIn, stepsOf } from './fixed-seeds.ts';
import { type Played, play } from './play.ts';
import { shorten } from './shorten.ts';
import { type Day, dayOf } from './world/steps.ts';

const usage = `npm run simulate -- --seed 7        plays the history of a seed and prints it; a failing one is shortened
npm run simulate -- --seed 1..40    plays these and prints a line for each
npm run simulate -- --minutes 30    plays random seeds, until one fails
  --bail        plays none after one that fails
  --steps 100   how many steps a history has, about (default ${stepsOf.default})
`;

const { values } = parseArgs({
  options: { seed: { type: 'string' }, steps: { type: 'string' }, minutes: { type: 'string' }, bail: { type: 'boolean' } },
});
const steps = Number(values.steps ?? stepsOf.default);
const minutes = Number(values.minutes ?? 0);
const given = seedsIn(values.seed ?? '');
if (!(given.length > 0 || minutes > 0) || !(steps > 0)) {
  process.stderr.write(usage);
  process.exit(2);
}

const shortenMs = 300_000;
const say = (...lines: readonly string[]): void => void process.stdout.write(lines.map((line) => `${line}\n`).join(''));

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1);

const breachesIn = ({ breaches }: Played): string[] => breaches.map(({ kind, invariant, detail }) => `  ${kind}: ${invariant} ${detail}`);

await setUp();
try {
  const failed = await (given.length > 0 ? playGiven() : playRandom());
  if (failed) process.exitCode = 1;
} finally {
  await globalThis.cornerTestTeardown?.();
}
process.exit();

async function playGiven(): Promise<boolean> {
  const failed: number[] = [];
  for (const seed of given) {
    if (failed.length > 0 && values.bail) break;
    if (!(await playOne(seed))) failed.push(seed);
  }
  const [first] = failed;
  if (given.length === 1) {
    if (first !== undefined) await showShortest(first);
  } else say(failed.length === 0 ? `All ${given.length} hold.` : `${failed.length} of ${given.length} fail: ${failed.join(', ')}.`);
  return failed.length > 0;
}

async function playRandom(): Promise<boolean> {
  const end = Date.now() + minutes * 60_000;
  while (Date.now() < end) {
    const seed = randomInt(2 ** 31);
    if (await playOne(seed)) continue;
    await showShortest(seed);
    return true;
  }
  return false;
}

async function playOne(seed: number): Promise<boolean> {
  const begun = performance.now();
  const { user, system } = process.cpuUsage();
  const played = await play(seed, dayOf(seed, stepsOf.roundsIn(steps)));
  const { user: userNow, system: systemNow } = process.cpuUsage();
  const cost = `${seconds(performance.now() - begun)} s, ${seconds((userNow + systemNow - user - system) / 1_000)} s of processor`;
  if (given.length === 1) say(...played.lines);
  say(`seed ${seed}: ${played.hash} (${cost})`, ...breachesIn(played));
  return played.breaches.length === 0;
}

async function showShortest(seed: number): Promise<void> {
  const end = Date.now() + shortenMs;
  let shortest: Played | undefined;
  const fails = async (day: Day) => {
    const played = await play(seed, day);
    if (played.breaches.length > 0) shortest = played;
    return played.breaches.length > 0;
  };
  const day = await shorten(dayOf(seed, stepsOf.roundsIn(steps)), fails, () => Date.now() < end);
  if (shortest)
    say('', `The shortest history of seed ${seed} that fails, ${day.flat().length} steps:`, ...shortest.lines, ...breachesIn(shortest));
  else say('', 'No shorter history of this seed fails.');
  if (shortest) say('', 'What the services have on record:', ...shortest.story);
  say('', `npm run simulate -- --seed ${seed} --steps ${steps}`);
}
