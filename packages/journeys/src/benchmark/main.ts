import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measureAccept } from './accept.ts';
import { startBenchSystem } from './bench-system.ts';
import { measureEventBurst } from './event-burst.ts';
import { measureEventDelay } from './event-delay.ts';
import { reaches, short, tableOf } from './figures.ts';
import { describeMachine, machineInWords } from './machine.ts';
import { isExact, raceForLastUnits } from './oversell.ts';
import type { ProcessorTime } from './processor-time.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    repetitions: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('pnpm run bench:all [--only accept|delay|burst|oversell] [--repetitions 4] [--seconds 3] [--json FILE]');
  process.exit(0);
}

const say = (line: string) => console.error(line);
const [repetitions, seconds] = [Number(values.repetitions), Number(values.seconds)];
const wanted = (part: string) => values.only === undefined || values.only === part;

/** Measures what was asked for and prints it. Ends with 1 when something is wrong; a goal that is missed is only said. */
async function measureAll(): Promise<boolean> {
  await using bench = await startBenchSystem();
  const machine = describeMachine(bench.system);
  say(machineInWords(machine));
  const races = wanted('oversell') ? await raceForLastUnits(bench, repetitions) : [];
  const delays = wanted('delay') ? await measureEventDelay(bench, { repetitions, seconds: 10, rate: 200, say }) : [];
  const accepted = wanted('accept') ? await measureAccept(bench, { repetitions, seconds, say }) : null;
  const bursts = wanted('burst') ? await measureEventBurst(bench, { repetitions, count: 20_000, say }) : [];
  const findings = [...(accepted?.findings ?? []), ...delays, ...bursts];
  const exact = races.filter(isExact).length;

  console.log(`\n${machineInWords(machine)}\n${repetitions} repetitions; worst is the worst of them.\n`);
  if (findings.length > 0) console.log(tableOf(findings));
  if (races.length > 0) console.log(`\n24 racers for 20 units: exactly 20 sold in ${exact} of ${races.length} races.`);
  if (accepted) console.log(`\nProcessor time for one accepted order, of ${accepted.orders}:\n${perOrder(accepted.used, accepted.orders)}`);
  if (values.json) {
    const judged = findings.map((finding) => ({ ...finding, reached: reaches(finding) }));
    await writeFile(
      values.json,
      `${JSON.stringify({ machine, repetitions, findings: judged, races, accepted: accepted && { used: accepted.used, orders: accepted.orders } }, null, 2)}\n`,
    );
  }
  return exact === races.length;
}

function perOrder(used: ProcessorTime, orders: number): string {
  const all = Object.values(used).reduce((sum, value) => sum + value, 0);
  return Object.entries(used)
    .sort(([, a], [, b]) => b - a)
    .map(
      ([name, value]) =>
        `  ${name.padEnd(14)} ${short((value / orders) * 1e6).padStart(6)} µs  ${((value / all) * 100).toFixed(0).padStart(3)} %`,
    )
    .join('\n');
}

process.exitCode = (await measureAll()) ? 0 : 1;
