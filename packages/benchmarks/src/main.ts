import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measureAccept } from './accept.ts';
import { startBenchSystem } from './bench-system.ts';
import { measureCards } from './card-plans.ts';
import { complaints } from './complaints.ts';
import { costliestStatements, countStatements } from './costly-statements.ts';
import { measureEventBurst } from './event-burst.ts';
import { measureEventDelay } from './event-delay.ts';
import { describeMachine, machineInWords } from './machine.ts';
import { measureOrderLists } from './order-list-plans.ts';
import { isExact, raceForLastUnits } from './oversell.ts';
import { asJson, inWords, type Report } from './report.ts';

const help = `pnpm run bench:all [options]
  --only PART         accept, delay, burst, oversell, lists or cards; may be given more than once
  --repetitions N     4 unless told
  --seconds N         of each run of accept, 3 unless told
  --burst N           events told at once, 20,000 unless told
  --json FILE         writes everything there as well
  --statements        tells where the database spent its time; costs a little of it`;

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

// Nothing of it stays behind when somebody has seen enough.
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());

const say = (line: string) => console.error(line);

async function measure(): Promise<Report> {
  const [repetitions, seconds] = [Number(values.repetitions), Number(values.seconds)];
  const wanted = (part: string) => values.only.includes(part);
  await using bench = await startBenchSystem({ statements: values.statements, stop: stopped.signal });
  const machine = describeMachine(bench.system);
  say(machineInWords(machine));
  if (values.statements) await countStatements(bench.database);
  const races = wanted('oversell') ? await raceForLastUnits(bench, repetitions) : [];
  const delays = wanted('delay') ? await measureEventDelay(bench, { repetitions, seconds: 10, rate: 200, say }) : [];
  const { findings = [], ...accepted } = wanted('accept') ? await measureAccept(bench, { repetitions, seconds, say }) : {};
  const bursts = wanted('burst') ? await measureEventBurst(bench, { repetitions, count: Number(values.burst), say }) : [];
  const lists = wanted('lists') ? await measureOrderLists(bench, { repetitions, say }) : [];
  const cards = wanted('cards') ? await measureCards(bench, { say }) : [];
  return {
    machine,
    repetitions,
    findings: [...findings, ...delays, ...bursts, ...lists, ...cards],
    races,
    accepted: 'used' in accepted ? accepted : null,
    complaints: complaints(bench.system),
    statements: values.statements ? await costliestStatements(bench.database) : [],
  };
}

if (values.help) {
  console.log(help);
} else {
  const report = await measure();
  console.log(`\n${inWords(report)}`);
  if (values.json) await writeFile(values.json, asJson(report));
  // Whatever else goes wrong throws. A goal that is missed is said, and is no failure.
  if (!report.races.every(isExact)) process.exitCode = 1;
}
