import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { resultsPath, writeArtefact, writeResults } from '@corner/benchmarks/report';
import { earlierResults } from './earlier-results.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { documentColumns, isWrong, type Report, reportAsMarkdown, reportAsText, resultsAsMarkdown } from './report.ts';
import { runAll } from './run-all.ts';

const help = `npm run faults -- [options]
  --only NAME       the fault NAME, or else all whose name contains NAME; may be repeated. --list prints the names
  --seed N          the first seed, default 1
  --seeds N         how many seeds of each fault, default 3
  --seconds N       of traffic for each seed, default 12
  --per-second N    visitors, 20 of 24 with an order; default 24
  --events N        events for each receiver of webhooks, where the fault is about them; default 300
  --settle N        seconds in which everything must have settled, default 200
  --json FILE       also writes the results to FILE
  --document FILE   runs nothing: writes the documents from the results in FILE, or of several files
  --note TEXT       a sentence on how it was run, which the document has below its first line
  --list            prints the faults

A run of all faults writes the results into docs/measurements.md, and every figure into .corner/faults.md. The exit code is 1 when something is lost, doubled or wrong.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '12' },
    'per-second': { type: 'string', default: '24' },
    settle: { type: 'string', default: '200' },
    events: { type: 'string', default: '300' },
    json: { type: 'string' },
    document: { type: 'string', multiple: true },
    note: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());

function chosen(names: readonly string[] | undefined): readonly Fault[] {
  if (!names) return faults;
  const isNamed = (wanted: string) => faults.some(({ name }) => name === wanted);
  const found = faults.filter(({ name }) => names.some((wanted) => (isNamed(wanted) ? name === wanted : name.includes(wanted))));
  if (found.length === 0) throw new Error(`no fault is named ${names.join(' or ')}; --list prints the names`);
  return found;
}

async function readReports(files: readonly string[]): Promise<Report> {
  const reports = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Report));
  const [first] = reports;
  if (!first) throw new Error('no file was given');
  if (reports.some(({ seconds, perSecond }) => seconds !== first.seconds || perSecond !== first.perSecond))
    throw new Error('the results are of different traffic');
  return { ...first, runs: reports.flatMap(({ runs }) => runs), failed: reports.flatMap(({ failed }) => failed) };
}

async function document(report: Report): Promise<void> {
  const earlier = earlierResults(await readFile(resultsPath, 'utf8'), documentColumns);
  await writeResults('faults', resultsAsMarkdown(report, faults, { note: values.note, earlier }));
  await writeArtefact('faults.md', `${reportAsMarkdown(report, faults)}\n`);
}

if (values.help) console.log(help);
else if (values.list) console.log(faults.map(({ name, about }) => `${name}: ${about}`).join('\n'));
else if (values.document) await document(await readReports(values.document));
else {
  const options = { perSecond: Number(values['per-second']), seconds: Number(values.seconds) };
  const seeds = Array.from({ length: Number(values.seeds) }, (_, n) => Number(values.seed) + n);
  const log = (line: string) => console.error(line);
  const results = await runAll(chosen(values.only), seeds, {
    ...options,
    settleMs: Number(values.settle) * 1000,
    events: Number(values.events),
    log,
    stopped: stopped.signal,
  });
  const report: Report = { ...options, ...results };
  console.log(`\n${reportAsText(report)}`);
  if (values.json) await writeFile(values.json, JSON.stringify(report, null, 1));
  if (!values.only && !stopped.signal.aborted) await document(report);
  if (isWrong(report)) process.exitCode = 1;
}
