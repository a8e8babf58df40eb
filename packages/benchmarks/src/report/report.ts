import { type Finding, goalAsText, reaches, short, verdictOn } from './figures.ts';
import { type Machine, machineLine } from './machine.ts';
import { textTable } from './text-table.ts';

/** A table that explains figures: a title, the names of its columns and its rows. All columns but the first hold figures. */
export interface Breakdown {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The results of one run of the benchmarks. */
export interface Report {
  readonly machine: Machine;
  readonly repetitions: number;
  readonly findings: readonly Finding[];
  readonly breakdowns: readonly Breakdown[];
  /** What the services warned of, the most frequent first. */
  readonly warnings: readonly string[];
}

/** The report as text. */
export function reportAsText({ machine, repetitions, findings, breakdowns, warnings }: Report): string {
  return [
    `${machineLine(machine)}\n${repetitions} repetitions; "worst" is the worst of them.`,
    ...(findings.length > 0 ? [findingsAsText(findings)] : []),
    ...breakdowns.map(({ title, columns, rows }) => `${title}\n${textTable([columns, ...rows], [1, 2, 3, 4, 5, 6, 7, 8, 9])}`),
    ...(warnings.length > 0 ? [['Warnings and errors of the services:', ...warnings.slice(0, 10)].join('\n  ')] : []),
  ].join('\n\n');
}

function findingsAsText(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => {
    const { what, unit, figure, goal } = finding;
    return [what, short(figure.median), short(figure.worst), unit, goalAsText(goal), verdictOn(finding)];
  });
  return textTable([['', 'median', 'worst', '', 'goal', ''], ...rows], [1, 2]);
}

/** The report as JSON. */
export const reportAsJson = (report: Report): string =>
  `${JSON.stringify({ ...report, findings: report.findings.map((finding) => ({ ...finding, reached: reaches(finding) })) }, null, 2)}\n`;
