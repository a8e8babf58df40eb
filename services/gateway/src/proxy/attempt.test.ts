import { describe, expect, test } from '@jest/globals';
import { type Attempt, type AttemptEvent, beginAttempt, stepAttempt } from './attempt.ts';

const conflict = { 'retry-after': '2' };
const inProgress = Buffer.from(JSON.stringify({ error: { code: 'IDEMPOTENCY_IN_PROGRESS' } }));
const filled = Buffer.from(JSON.stringify({ error: { code: 'SLOT_JUST_FILLED' } }));
const reason = new Error('not wanted');
const [connecting, sent] = [beginAttempt(false), { state: 'sent', afterLoss: false }] as const;
const sentAfterLoss: Attempt = { state: 'sent', afterLoss: true };
const holding = (...chunks: Buffer[]): Attempt => ({ state: 'holding', headers: conflict, chunks });
const aborted: Attempt = { state: 'aborted', reason };
const response = (status: number): AttemptEvent => ({ type: 'response', status, headers: conflict });
const data: AttemptEvent = { type: 'data', chunk: filled };
const error: AttemptEvent = { type: 'error', error: reason };
const failed = { type: 'failed', error: reason };
const begins = (status: number) => ({ type: 'response begins', status, headers: conflict });

describe('an attempt', () => {
  test.each<[string, Attempt, AttemptEvent, Attempt['state'], readonly object[]]>([
    ['is sent once it has a connection', connecting, { type: 'connected' }, 'sent', []],
    ['without a connection fails unsent', connecting, error, 'over', [{ ...failed, sent: false }]],
    ['fails as sent once it had a connection', sent, error, 'over', [{ ...failed, sent: true }]],
    ['passes a response on', sent, response(200), 'passing', [begins(200)]],
    ['passes a conflict on when no attempt was lost', sent, response(409), 'passing', [begins(409)]],
    ['passes other responses on after a loss', sentAfterLoss, response(200), 'passing', [begins(200)]],
    ['holds a conflict after a loss', sentAfterLoss, response(409), 'holding', []],
    ['holds the parts of that conflict', holding(), data, 'holding', []],
    ['reports that the lost attempt runs', holding(inProgress), { type: 'end' }, 'over', [{ type: 'in progress', seconds: 2 }]],
    [
      ...(['passes a held response on when it is another conflict', holding(filled), { type: 'end' }, 'over'] as const),
      [begins(409), { type: 'response data', chunk: filled }, { type: 'response ends' }],
    ],
    ['fails as sent when a held response breaks', holding(filled), error, 'over', [{ ...failed, sent: true }]],
    ['passes parts on', { state: 'passing' }, data, 'passing', [{ type: 'response data', chunk: filled }]],
    ['ends with its response', { state: 'passing' }, { type: 'end' }, 'over', [{ type: 'response ends' }]],
    ['reports a response that breaks', { state: 'passing' }, error, 'over', [{ ...failed, sent: true }]],
    ['reports no fault once it is aborted', aborted, error, 'over', []],
    ['passes no response on once it is aborted', aborted, response(200), 'aborted', []],
    ['that is over stays so', { state: 'over' }, { type: 'abort', reason }, 'over', []],
  ])('%s', (_, attempt, event, state, reports) => {
    const step = stepAttempt(attempt, event);
    expect(step.attempt.state).toBe(state);
    expect(step.reports).toEqual(reports);
    expect(step.abort).toBeUndefined();
  });

  test('keeps the parts of a held conflict in their order', () => {
    const { attempt } = stepAttempt(holding(inProgress), data);
    expect(attempt).toEqual(holding(inProgress, filled));
  });

  test('is aborted at once when it has a connection, and as soon as it has one otherwise', () => {
    const abort: AttemptEvent = { type: 'abort', reason };
    for (const attempt of [sent, holding(), { state: 'passing' } as const])
      expect(stepAttempt(attempt, abort)).toEqual({ attempt: aborted, reports: [], abort: reason });
    expect(stepAttempt(connecting, abort)).toEqual({ attempt: aborted, reports: [] });
    expect(stepAttempt(aborted, { type: 'connected' })).toEqual({ attempt: aborted, reports: [], abort: reason });
    expect(stepAttempt(aborted, { type: 'abort', reason: new Error('later') })).toEqual({ attempt: aborted, reports: [] });
  });
});
