import { type Finding, goalAsText, reaches, short } from './figures.ts';
import type { Report } from './report.ts';

const [width, row, top, left, goalAt, right] = [1000, 22, 56, 500, 760, 980] as const;

export function reportAsSvg({ parts }: Report): string {
  const findings = parts.flatMap((part) => part.findings.filter(({ goal }) => goal));
  const height = top + findings.length * row + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    '<title>How far each goal is reached</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(16, 22, 'How far each goal is reached', 'font-weight="bold" font-size="14"'),
    text(goalAt, 42, 'goal', 'text-anchor="middle" fill="#555"'),
    ...findings.flatMap(bar),
    `<line x1="${goalAt}" y1="${top - 8}" x2="${goalAt}" y2="${height - 10}" stroke="#333" stroke-dasharray="3 3"/>`,
    '</svg>',
    '',
  ].join('\n');
}

function bar(finding: Finding, index: number): string[] {
  const { what, unit, figure } = finding;
  const y = top + index * row;
  const end = Math.min(right, left + (goalAt - left) * reachedShare(finding));
  const label = `${short(figure.median)} ${unit === 'ratio' ? '' : `${unit} `}(${goalAsText(finding.goal)})`;
  const colour = reaches(finding) ? '#8fd0b0' : '#f2c08a';
  return [
    `<g><title>${escaped(`${what}: ${label}`)}</title>`,
    text(16, y + 13, shortened(what), 'fill="#222"'),
    `<rect x="${left}" y="${y + 2}" width="${Math.max(2, end - left).toFixed(0)}" height="${row - 7}" fill="${colour}"/>`,
    text(left + 6, y + 13, label, 'fill="#111"'),
    '</g>',
  ];
}

export function reachedShare({ figure, goal }: Finding): number {
  if (!goal || figure.median === goal.value) return 1;
  if (goal.at === 'exactly') return Math.min(figure.median, goal.value) / Math.max(figure.median, goal.value);
  return goal.at === 'least' ? figure.median / goal.value : goal.value / figure.median;
}

const shortened = (words: string): string => (words.length > 76 ? `${words.slice(0, 75)}…` : words);
const text = (x: number, y: number, words: string, style: string): string => `<text x="${x}" y="${y}" ${style}>${escaped(words)}</text>`;
const escaped = (words: string): string => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
