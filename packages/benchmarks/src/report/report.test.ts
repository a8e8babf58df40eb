import { expect, test } from '@jest/globals';
import { type Finding, reaches, rowsOf, spread } from './figures.ts';
import { type Report, reportAsJson, reportAsText } from './report.ts';
import { goalsAsMarkdown, missedAsMarkdown, reportAsMarkdown, withResults } from './report-as-markdown.ts';
import { reachedShare, reportAsSvg } from './report-as-svg.ts';

const row = rowsOf([0.5, 0.2, 0.4], 'accept');
const missed = row(': ratio', 'ratio', 'more', (r) => r, { at: 'least', value: 0.8 });
const met = row(': statements', 'an order', 'less', (r) => r * 10, { at: 'most', value: 4 });
const plain = row(': rate | a second', 'orders/s', 'more', (r) => r * 1000);
const exact = (sold: readonly number[]): Finding => ({
  what: '24 customers for 20 units',
  unit: 'sold',
  figure: spread(sold, { near: 20 }),
  goal: { at: 'exactly', value: 20 },
});

const report: Report = {
  machine: { cpu: 'A CPU', cores: 2, memoryGb: 8, versions: ['Node 26'], at: '2026-01-02T03:04:05Z' },
  repetitions: 3,
  parts: [
    {
      part: 'accept',
      findings: [missed, met, plain],
      breakdowns: [{ title: 'By process', columns: ['', 'ms'], rows: [['orders', '1.5']] }],
      fault: null,
    },
    { part: 'oversell', findings: [exact([20, 20, 20])], breakdowns: [], fault: null },
    { part: 'idle', findings: [], breakdowns: [], fault: 'not settled' },
  ],
  warnings: [],
};

test('a goal is met by the median, and one of an exact figure by every repetition', () => {
  expect([missed, met, plain].map(reaches)).toEqual([false, true, null]);
  expect(met.figure).toEqual({ median: 4, worst: 5, all: [5, 2, 4] });
  expect(missed.figure).toMatchObject({ median: 0.4, worst: 0.2 });
  expect(reaches(exact([20, 20, 20]))).toBe(true);
  expect(reaches(exact([20, 21, 20]))).toBe(false);
  expect(exact([20, 21, 18]).figure.worst).toBe(18);
});

test('the report has the goals with their verdicts, and every figure by part', () => {
  expect(goalsAsMarkdown(report)).toContain(
    'A CPU, 2 cores, 8 GB; Node 26; 2026-01-02. 3 repetitions; median and worst of them. 2 of 3 goals are met.',
  );
  const [goals = '', parts = ''] = reportAsMarkdown(report).split('## accept');
  expect(goals).toContain(goalsAsMarkdown(report));
  expect(goals).toContain('| accept: ratio | 0.4 | 0.2 | ratio | ≥ 0.8 | missed |');
  expect(goals).toContain('| accept: statements | 4 | 5 | an order | ≤ 4 | met |');
  expect(goals).not.toContain('a second');
  expect(parts).toContain('| accept: rate \\| a second | 400 | 200 | orders/s |  |  |');
  expect(parts).toContain('By process:\n\n|  | ms |\n| --- | ---: |\n| orders | 1.5 |');
});

test('the results replace what is between the markers and nothing else', () => {
  const document = '<!-- faults -->\nkept\n<!-- end of faults -->\n\n<!-- goals -->\nold\n<!-- end of goals -->\n\nThe end.\n';
  expect(withResults(document, 'goals', 'new')).toBe(document.replace('\nold\n', '\n\nnew\n\n'));
  expect(() => withResults('# Benchmarks', 'goals', 'new')).toThrow('lacks');
});

test('the document has the goals that are missed, and says how many are met', () => {
  const missedGoals = missedAsMarkdown(report);
  expect(missedGoals).toContain('2 of 3 goals are met.');
  expect(missedGoals).toContain('| accept: ratio | 0.4 | 0.2 | ratio | ≥ 0.8 |');
  expect(missedGoals).not.toContain('accept: statements');
});

test('the picture has a bar for each goal, as long as the goal is reached', () => {
  expect([missed, met, exact([20]), exact([10])].map(reachedShare)).toEqual([0.5, 1, 1, 0.5]);
  const svg = reportAsSvg(report);
  expect(svg.match(/<g>/g)).toHaveLength(3);
  expect(svg).toContain('<title>accept: ratio: 0.4 (≥ 0.8)</title>');
});

test('a part that failed is named with its fault', () => {
  expect(reportAsText(report)).toContain('idle failed: not settled');
  expect(reportAsMarkdown(report)).toContain('## idle\n\nThis part failed: not settled');
});

test('text and JSON have every figure', () => {
  expect(reportAsText(report)).toMatch(/accept: ratio\s+0\.4\s+0\.2 {2}ratio\s+≥ 0\.8 {2}missed/);
  expect(JSON.parse(reportAsJson(report)).parts[0].findings[1]).toMatchObject({ what: 'accept: statements', reached: true });
});
