import { expect, test } from '@jest/globals';
import { earlierResults } from './earlier-results.ts';
import { faults } from './faults.ts';
import { documentColumns, type Report, reportAsMarkdown, resultsAsMarkdown } from './report.ts';
import type { FaultRun } from './run-fault.ts';

const runOf = (fault: string, seed: number): FaultRun => ({
  fault,
  seed,
  accepted: 10,
  refused: 0,
  unanswered: 0,
  repeated: 1,
  codes: {},
  latenciesMs: [5],
  faultSeconds: 1,
  settleSeconds: 2,
  catchUp: { processedSeconds: 1, newEventSeconds: 1 },
  forgotten: null,
  notes: [],
  mailsSentAgain: 0,
  breaches: [{ kind: 'lost', invariant: 'a receipt is sent', detail: `of ${fault}` }],
});
const machine = { cpu: 'P', cores: 2, memoryGb: 4, versions: [], at: '2026-01-01' };
const reportOf = (...runs: FaultRun[]): Report => ({ machine, perSecond: 24, seconds: 9, runs, failed: [] });

test('a document keeps what it says of faults that have no new results, in the order of the faults', () => {
  const before = resultsAsMarkdown(reportOf(runOf('none', 1), runOf('kill orders', 1), runOf('kill nats', 1)), faults);
  const after = resultsAsMarkdown(reportOf(runOf('kill orders', 2), runOf('kill orders', 3)), faults, {
    note: 'Two seeds.',
    earlier: earlierResults(before, documentColumns),
  });
  const { rows, findings } = earlierResults(after, documentColumns);
  expect([...rows].map(([name, row]) => [name, row[1]])).toEqual([
    ['none', '1'],
    ['kill orders', '2'],
    ['kill nats', '1'],
  ]);
  expect(findings.map((line) => line.split(':')[0])).toEqual([
    'kill orders, seed 2',
    'kill orders, seed 3',
    'none, seed 1',
    'kill nats, seed 1',
  ]);
  expect(after).toContain('Two seeds.');
  expect(after).toContain('4 runs,');
  expect(after).toContain(' 40 orders.');
});

test('the whole report has every figure, what each fault does, and what was found', () => {
  const report = reportAsMarkdown(reportOf(runOf('kill nats', 1)), faults);
  expect(report).toContain('| kill nats | 1 | 10 | 0 | 0 | 1 | 5 | 5 | 5 | 1.0 | 1.0 | 2.0 | 1 | 0 | 0 |');
  expect(report).toContain('| kill nats | nats is killed with kill -9 twice');
  expect(report).toContain('- kill nats, seed 1: not so: a receipt is sent (1; for example of kill nats)');
});
