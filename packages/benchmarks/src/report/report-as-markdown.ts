import { type Finding, reaches } from './figures.ts';
import { machineLine } from './machine.ts';
import { type Breakdown, findingCells, findingColumns, type Report } from './report.ts';

export function goalsAsMarkdown(report: Report): string {
  const { withGoals, line } = goalsOf(report);
  return [line, findingsTable(withGoals)].join('\n\n');
}

export function missedAsMarkdown(report: Report): string {
  const { missed, line } = goalsOf(report);
  const cells = missed.map((finding) => findingCells(finding).slice(0, -1));
  return [line, markdownTable(['missed', ...findingColumns.slice(1, -1)], cells, [1, 2])].join('\n\n');
}

function goalsOf({ machine, repetitions, parts }: Report) {
  const withGoals = parts.flatMap(({ findings }) => findings.filter(({ goal }) => goal));
  const missed = withGoals.filter((finding) => reaches(finding) === false);
  const met = `${withGoals.length - missed.length} of ${withGoals.length} goals are met.`;
  return { withGoals, missed, line: `${machineLine(machine)}. ${repetitions} repetitions; median and worst of them. ${met}` };
}

export function reportAsMarkdown(report: Report): string {
  const { parts, warnings } = report;
  return [
    '# Benchmarks',
    goalsAsMarkdown(report),
    ...parts.flatMap(({ part, findings, breakdowns, fault }) => [
      `## ${part}`,
      ...(fault === null ? [] : [`This part failed: ${fault}`]),
      ...(findings.length > 0 ? [findingsTable(findings)] : []),
      ...breakdowns.flatMap(breakdownTable),
    ]),
    ...(warnings.length > 0
      ? [
          '## Warnings and errors of the services',
          warnings
            .slice(0, 10)
            .map((line) => `- ${line}`)
            .join('\n'),
        ]
      : []),
  ].join('\n\n');
}

const findingsTable = (findings: readonly Finding[]): string => markdownTable(findingColumns, findings.map(findingCells), [1, 2]);

const breakdownTable = ({ title, columns, rows }: Breakdown): string[] => [
  `${title}:`,
  markdownTable(
    columns,
    rows,
    columns.map((_, column) => column).filter((column) => column > 0),
  ),
];

export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[], figures: readonly number[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = columns.map((_, column) => (figures.includes(column) ? '---:' : '---'));
  return [line(columns), line(rule), ...rows.map(line)].join('\n');
}

export function withResults(document: string, name: string, results: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before, rest] = document.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the document lacks ${begin} and ${end}`);
  return `${before}${begin}\n\n${results}\n\n${end}${after}`;
}
