import { type ProcessorTime, platformTime } from '../system/processor-time.ts';
import { type Finding, goalAsText, reaches, short, textTable, verdictOn } from './figures.ts';
import { type Machine, machineLine } from './machine.ts';

export interface Breakdown {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface PartResult {
  readonly part: string;
  readonly findings: readonly Finding[];
  readonly breakdowns: readonly Breakdown[];
  readonly fault: string | null;
}

export interface Report {
  readonly machine: Machine;
  readonly repetitions: number;
  readonly parts: readonly PartResult[];
  readonly warnings: readonly string[];
}

export const findingColumns = ['', 'median', 'worst', 'unit', 'goal', ''] as const;

export function findingCells(finding: Finding): string[] {
  const { what, unit, figure, goal } = finding;
  return [what, short(figure.median), short(figure.worst), unit, goalAsText(goal), verdictOn(finding)];
}

export function reportAsText({ machine, repetitions, parts, warnings }: Report): string {
  const figures = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  return [
    `${machineLine(machine)}\n${repetitions} repetitions; "worst" is the worst of them.`,
    ...parts.flatMap(({ part, findings, breakdowns, fault }) => [
      ...(fault === null ? [] : [`${part} failed: ${fault}`]),
      ...(findings.length > 0 ? [`${part}\n${textTable([findingColumns, ...findings.map(findingCells)], [1, 2])}`] : []),
      ...breakdowns.map(({ title, columns, rows }) => `${title}\n${textTable([columns, ...rows], figures)}`),
    ]),
    ...(warnings.length > 0 ? [['Warnings and errors of the services:', ...warnings.slice(0, 10)].join('\n  ')] : []),
  ].join('\n\n');
}

export const reportAsJson = ({ parts, ...report }: Report): string => {
  const judged = parts.map((part) => ({ ...part, findings: part.findings.map((finding) => ({ ...finding, reached: reaches(finding) })) }));
  return `${JSON.stringify({ ...report, parts: judged }, null, 2)}\n`;
};

export function breakdownOf(title: string, processor: ProcessorTime, count: number): Breakdown {
  const platform = platformTime(processor);
  const row = (name: string, seconds: number) => [name, short((seconds / count) * 1000), `${((seconds / platform) * 100).toFixed(0)} %`];
  return {
    title,
    columns: ['', 'ms an order', 'of the platform'],
    rows: [...Object.entries(processor).map(([name, seconds]) => row(name, seconds)), row('the platform', platform)],
  };
}
