import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Part, PartOptions } from './measurements/part.ts';
import { parts } from './parts.ts';
import { type Finding, reaches } from './report/figures.ts';
import { describeMachine, type Machine, machineLine } from './report/machine.ts';
import { type Breakdown, type Report, reportAsJson, reportAsText } from './report/report.ts';
import { warnings } from './report/warnings.ts';
import { startBenchSystem } from './system/bench-system.ts';
import { warmUp } from './system/warm-up.ts';

const help = `npm run bench -- [options]
  --only PART         ${Object.keys(parts).join(', ')}; may be repeated
  --repetitions N     default 4
  --seconds N         of each run under load, default 3
  --burst N           events published at once, default 5,000
  --json FILE         also writes the results to FILE`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(parts) },
    repetitions: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '3' },
    burst: { type: 'string', default: '5000' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

// An interrupted run stops its processes and removes its folder.
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());

const log = (line: string) => console.error(line);

async function measure(chosen: readonly Part[]): Promise<Report> {
  const repetitions = Number(values.repetitions);
  const findings: Finding[] = [];
  const breakdowns: Breakdown[] = [];
  const options: PartOptions = {
    repetitions,
    seconds: Number(values.seconds),
    burst: Number(values.burst),
    log,
    explain: (breakdown) => breakdowns.push(breakdown),
    stop: stopped.signal,
  };
  for (const part of chosen) if ('alone' in part) findings.push(...(await part.alone(options)));
  await using bench = await startBenchSystem({ stop: stopped.signal });
  const machine: Machine = describeMachine(bench.system);
  log(machineLine(machine));
  log('warming up');
  await warmUp(bench, options.seconds);
  for (const part of chosen) if ('onSystem' in part) findings.push(...(await part.onSystem(bench, options)));
  return { machine, repetitions, findings, breakdowns, warnings: warnings(bench.system) };
}

/** The parts of these names, in the order in which they run. Throws when one is unknown. */
function partsNamed(names: readonly string[]): Part[] {
  const unknown = names.filter((name) => !parts[name]);
  if (unknown.length > 0) throw new Error(`no part is named ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);
  return Object.entries(parts).flatMap(([name, part]) => (names.includes(name) ? [part] : []));
}

if (values.help) {
  console.log(help);
} else {
  const report = await measure(partsNamed(values.only));
  console.log(`\n${reportAsText(report)}`);
  if (values.json) await writeFile(values.json, reportAsJson(report));
  // Other failures throw. A missed goal of speed is printed and is not a failure.
  const wrong = report.findings.filter((finding) => finding.goal?.at === 'exactly' && reaches(finding) === false);
  if (wrong.length > 0) process.exitCode = 1;
}
