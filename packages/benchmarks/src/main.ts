import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Part } from './measurements/part.ts';
import { parts, usualParts } from './parts.ts';
import { reaches } from './report/figures.ts';
import { describeMachine, machineLine } from './report/machine.ts';
import { type Breakdown, type PartResult, type Report, reportAsJson, reportAsText } from './report/report.ts';
import { warnings } from './report/warnings.ts';
import { writeDocument } from './report/write-document.ts';
import { type BenchSystem, startBenchSystem } from './system/bench-system.ts';
import { warmUp } from './system/warm-up.ts';

const leastRepetitions = 4;

const help = `npm run bench -- [options]
  --only PART         ${Object.keys(parts).join(', ')}; may be repeated
  --repetitions N     default ${leastRepetitions}
  --seconds N         of each run under load, default 2; a day of the part day takes 600 times as long
  --burst N           events published at once, default 5,000
  --json FILE         also writes the results to FILE
  --document FILE     measures nothing: writes the documents from the results in FILE

A run of all parts but ${Object.keys(parts).filter((name) => !usualParts.includes(name))}, with ${leastRepetitions} repetitions or more, writes the goals into docs/measurements.md and docs/benchmarks.svg, and
every figure into .corner/benchmarks.md and .corner/benchmarks.json.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [...usualParts] },
    repetitions: { type: 'string', default: `${leastRepetitions}` },
    seconds: { type: 'string', default: '2' },
    burst: { type: 'string', default: '5000' },
    json: { type: 'string' },
    document: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());

const log = (line: string) => console.error(line);
const common = {
  repetitions: Number(values.repetitions),
  seconds: Number(values.seconds),
  burst: Number(values.burst),
  log,
  stop: stopped.signal,
};

type Chosen = readonly (readonly [string, Part])[];

async function measure(chosen: Chosen): Promise<Report> {
  const results: PartResult[] = [];
  for (const [name, part] of chosen) if ('alone' in part) results.push(await tryToRun(name, part));
  const onSystem = chosen.filter(([, part]) => 'onSystem' in part);
  if (onSystem.length === 0) return { machine: describeMachine(null), repetitions: common.repetitions, parts: results, warnings: [] };
  await using bench = await startBenchSystem({ stop: stopped.signal });
  const machine = describeMachine(bench.system);
  log(`${machineLine(machine)}\nwarming up`);
  await warmUp(bench, common.seconds);
  for (const [name, part] of onSystem) results.push(await tryToRun(name, part, bench));
  return { machine, repetitions: common.repetitions, parts: results, warnings: warnings(bench.system) };
}

async function run(name: string, part: Part, bench?: BenchSystem): Promise<PartResult> {
  const breakdowns: Breakdown[] = [];
  const options = { ...common, explain: (breakdown: Breakdown) => breakdowns.push(breakdown) };
  const startedAt = performance.now();
  const findings = 'alone' in part ? await part.alone(options) : bench ? await part.onSystem(bench, options) : [];
  log(`${name} took ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  return { part: name, findings, breakdowns, fault: null };
}

async function tryToRun(name: string, part: Part, bench?: BenchSystem): Promise<PartResult> {
  try {
    return await run(name, part, bench);
  } catch (error) {
    log(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`);
    return { part: name, findings: [], breakdowns: [], fault: error instanceof Error ? error.message : String(error) };
  }
}

const isWrong = ({ parts: results }: Report): boolean =>
  results.some(({ findings, fault }) => fault !== null || findings.some((found) => found.goal?.at === 'exactly' && !reaches(found)));

function partsNamed(names: readonly string[]): Chosen {
  const unknown = names.filter((name) => !parts[name]);
  if (unknown.length > 0) throw new Error(`no part is named ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);
  return Object.entries(parts).filter(([name]) => names.includes(name));
}

if (values.help) {
  console.log(help);
} else if (values.document) {
  await writeDocument(JSON.parse(await readFile(values.document, 'utf8')) as Report);
} else {
  const chosen = partsNamed(values.only);
  const report = await measure(chosen);
  console.log(`\n${reportAsText(report)}`);
  if (values.json) await writeFile(values.json, reportAsJson(report));
  if (usualParts.every((name) => values.only.includes(name)) && common.repetitions >= leastRepetitions) await writeDocument(report);
  if (isWrong(report)) process.exitCode = 1;
}
