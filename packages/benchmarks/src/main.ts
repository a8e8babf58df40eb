import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measureAccept } from './measurements/accept-orders.ts';
import { measureCards } from './measurements/card-plans.ts';
import { measureEventBurst } from './measurements/event-burst.ts';
import { measureEventDelay } from './measurements/event-delay.ts';
import { measureOrderLists } from './measurements/order-list-plans.ts';
import { isExact, raceForLastUnits } from './measurements/oversell.ts';
import { costliestStatements, countStatements } from './report/costly-statements.ts';
import { describeMachine, machineLine } from './report/machine.ts';
import { type Report, reportAsJson, reportAsText } from './report/report.ts';
import { warnings } from './report/warnings.ts';
import { startBenchSystem } from './system/bench-system.ts';

const help = `pnpm run bench:all [options]
  --only PART         accept, delay, burst, oversell, lists or cards; may be repeated
  --repetitions N     default 4
  --seconds N         of each run of accept, default 3
  --burst N           events published at once, default 20,000
  --json FILE         also writes the results to FILE
  --statements        prints the statements that took most time; slows the database a little`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: ['accept', 'delay', 'burst', 'oversell', 'lists', 'cards'] },
    repetitions: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '3' },
    burst: { type: 'string', default: '20000' },
    json: { type: 'string' },
    statements: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

// An interrupted run stops its processes and removes its folder.
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());

const log = (line: string) => console.error(line);

async function measure(): Promise<Report> {
  const [repetitions, seconds] = [Number(values.repetitions), Number(values.seconds)];
  const wanted = (part: string) => values.only.includes(part);
  await using bench = await startBenchSystem({ statements: values.statements, stop: stopped.signal });
  const machine = describeMachine(bench.system);
  log(machineLine(machine));
  if (values.statements) await countStatements(bench.database);
  const races = wanted('oversell') ? await raceForLastUnits(bench, repetitions) : [];
  const delays = wanted('delay') ? await measureEventDelay(bench, { repetitions, seconds: 10, rate: 200, log }) : [];
  const { findings = [], ...accepted } = wanted('accept') ? await measureAccept(bench, { repetitions, seconds, log }) : {};
  const bursts = wanted('burst') ? await measureEventBurst(bench, { repetitions, count: Number(values.burst), log }) : [];
  const lists = wanted('lists') ? await measureOrderLists(bench, { repetitions, log }) : [];
  const cards = wanted('cards') ? await measureCards(bench, { log }) : [];
  return {
    machine,
    repetitions,
    findings: [...findings, ...delays, ...bursts, ...lists, ...cards],
    races,
    accepted: 'used' in accepted ? accepted : null,
    warnings: warnings(bench.system),
    statements: values.statements ? await costliestStatements(bench.database) : [],
  };
}

if (values.help) {
  console.log(help);
} else {
  const report = await measure();
  console.log(`\n${reportAsText(report)}`);
  if (values.json) await writeFile(values.json, reportAsJson(report));
  // Other failures throw. A missed goal is printed and is not a failure.
  if (!report.races.every(isExact)) process.exitCode = 1;
}
