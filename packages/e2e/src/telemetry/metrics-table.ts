import { catalog } from '@corner/chassis/metrics-catalog';

const header = ['metric', 'kind', 'meaning', 'labels'];

/** The table of docs/telemetry.md in Markdown: every metric of the catalogue with its kind, meaning and labels, columns aligned. */
export function metricsTable(): string {
  const rows = Object.entries(catalog).map(([name, { kind, description, labels }]) => [
    code(name),
    kind,
    description,
    labels.map(code).join(', '),
  ]);
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const code = (name: string): string => `\`${name}\``;
