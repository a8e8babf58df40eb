import { type Machine, machineLine, markdownTable, quantile, textTable } from '@corner/benchmarks/report';
import type { Breach } from '@corner/simulation';
import type { EarlierResults } from './earlier-results.ts';
import type { Fault } from './fault.ts';
import type { FaultRun } from './run-fault.ts';

export interface Report {
  readonly machine: Machine;
  readonly perSecond: number;
  readonly seconds: number;
  readonly runs: readonly FaultRun[];
  readonly failed: readonly { readonly fault: string; readonly seed: number; readonly why: string }[];
}

const columns = [
  'fault',
  'seeds',
  'accepted',
  'refused',
  'unanswered',
  'repeated',
  'median ms',
  'p99 ms',
  'worst ms',
  'processed s',
  'new event s',
  'settled s',
  'lost',
  'doubled',
  'wrong',
];
export const documentColumns = ['fault', 'seeds', 'accepted', 'failed', 'p99 ms', 'settled s'];
const numeric = columns.map((_, index) => index).slice(1);

function rows({ runs }: Report): string[][] {
  return [...Map.groupBy(runs, ({ fault }) => fault)].map(([fault, own]) => {
    const sum = (count: (run: FaultRun) => number) => String(own.reduce((total, run) => total + count(run), 0));
    const took = own.flatMap(({ latenciesMs }) => latenciesMs);
    const ms = (q: number) => (took.length === 0 ? '' : String(Math.round(quantile(took, q))));
    return [
      fault,
      String(own.length),
      sum(({ accepted }) => accepted),
      sum(({ refused }) => refused),
      sum(({ unanswered }) => unanswered),
      sum(({ repeated }) => repeated),
      ms(0.5),
      ms(0.99),
      ms(1),
      longest(own.map(({ catchUp }) => catchUp.processedSeconds)),
      longest(own.map(({ catchUp }) => catchUp.newEventSeconds)),
      longest(own.map(({ settleSeconds }) => settleSeconds)),
      ...(['lost', 'doubled', 'wrong'] as const).map((kind) => sum(({ breaches }) => ofKind(breaches, kind).length)),
    ];
  });
}

const longest = (seconds: readonly (number | null)[]): string =>
  seconds.includes(null) ? 'no' : Math.max(...seconds.map(Number)).toFixed(1);

const ofKind = (breaches: readonly Breach[], kind: Breach['kind']) => breaches.filter((found) => found.kind === kind);

function findings({ runs, failed }: Report): string[] {
  return [
    ...runs.flatMap(({ fault, seed, breaches, codes }) => [
      ...[...Map.groupBy(breaches, ({ invariant }) => invariant)].map(
        ([invariant, all]) => `${fault}, seed ${seed}: not so: ${invariant} (${all.length}; for example ${all[0]?.detail})`,
      ),
      ...Object.entries(codes).map(([code, count]) => `${fault}, seed ${seed}: ${code} (${count})`),
    ]),
    ...failed.map(({ fault, seed, why }) => `${fault}, seed ${seed}: could not be run: ${why}`),
  ];
}

export const reportAsText = (report: Report): string => [textTable([columns, ...rows(report)], numeric), ...findings(report)].join('\n');

export const reportAsMarkdown = (report: Report, all: readonly Fault[]): string =>
  [
    '# Faults',
    `${machineLine(report.machine)}.`,
    markdownTable(columns, rows(report), numeric),
    '## What each fault does',
    markdownTable(
      ['fault', 'what happens'],
      all.map(({ name, about }) => [name, about]),
      [],
    ),
    '## What was found',
    asList(findings(report)),
  ].join('\n\n');

function documentRow(row: readonly string[]): string[] {
  const cell = (column: string) => row[columns.indexOf(column)] ?? '';
  const failed = String(Number(cell('refused')) + Number(cell('unanswered')));
  return documentColumns.map((column) => (column === 'failed' ? failed : cell(column)));
}

const asList = (lines: readonly string[]): string => (lines.length === 0 ? 'None.' : lines.map((line) => `- ${line}`).join('\n'));

interface Beside {
  readonly note?: string | undefined;
  readonly earlier?: EarlierResults;
}

export function resultsAsMarkdown(report: Report, all: readonly Fault[], { note, earlier }: Beside = {}): string {
  const { machine, perSecond, seconds, runs } = report;
  const figures = new Map<string, readonly string[]>([
    ...(earlier?.rows ?? []),
    ...rows(report).map((row) => [row[0] ?? '', documentRow(row)] as const),
  ]);
  const shown = all.filter(({ name }) => figures.has(name));
  const sumOf = (column: string) => shown.reduce((sum, { name }) => sum + Number(figures.get(name)?.[documentColumns.indexOf(column)]), 0);
  const orders = sumOf('accepted') + sumOf('failed');
  const fresh = new Set(runs.map(({ fault }) => fault));
  const kept = earlier?.findings.filter((line) => !fresh.has(line.replace(/, seed .*$/, ''))) ?? [];
  const found = [...findings(report).map((line) => line.replaceAll('|', '\\|')), ...kept];
  return [
    `${machineLine(machine)}. ${sumOf('seeds')} runs, ${perSecond} visitors a second for ${seconds} s each or as long as the fault lasted, ${orders.toLocaleString('en-GB')} orders.`,
    ...(note ? [note] : []),
    markdownTable(
      documentColumns,
      shown.map(({ name }) => [...(figures.get(name) ?? [])]),
      documentColumns.map((_, index) => index).slice(1),
    ),
    '### Breaches in these runs',
    asList(found),
  ].join('\n\n');
}

export const isWrong = ({ runs, failed }: Report): boolean => failed.length > 0 || runs.some(({ breaches }) => breaches.length > 0);
