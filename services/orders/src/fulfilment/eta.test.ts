import { Problem } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { type Delay, type Expected, revisedEta } from './rules.ts';

const now = new Date('2026-05-04T12:00:00Z');
const order: Expected = { revised_ready_at: null, requested_collection_at: null, paid_at: '2026-05-04T11:58:00Z', prep_minutes: 5 };
const eta = (later: Delay, changed: Partial<Expected> = {}) => revisedEta({ ...order, ...changed }, later, now).toISOString();

function refusal(later: Delay, changed: Partial<Expected> = {}) {
  try {
    return eta(later, changed);
  } catch (error) {
    return error instanceof Problem ? `${error.code} ${error.message}` : error;
  }
}

describe('delay minutes are added to', () => {
  test.each<[string, Partial<Expected>, string]>([
    ['the preparation time after payment', {}, '2026-05-04T12:13:00.000Z'],
    ['the booked time', { requested_collection_at: '2026-05-04T15:00:00Z' }, '2026-05-04T15:10:00.000Z'],
    [
      'the time of the last notice, even when it is earlier than the booked one',
      { revised_ready_at: '2026-05-04T14:00:00Z', requested_collection_at: '2026-05-04T15:00:00Z' },
      '2026-05-04T14:10:00.000Z',
    ],
    ['the present when the expected time has passed', { revised_ready_at: '2026-05-04T11:00:00Z' }, '2026-05-04T12:10:00.000Z'],
    ['the present when nothing is expected', { paid_at: null }, '2026-05-04T12:10:00.000Z'],
  ])('%s', (_, changed, expected) => {
    expect(eta({ delayMinutes: 10 }, changed)).toBe(expected);
  });
});

describe('a new ready time', () => {
  test('takes precedence over minutes, and may be earlier than the expected time', () => {
    const booked = { requested_collection_at: '2026-05-04T15:00:00Z' };
    expect(eta({ newReadyAt: '2026-05-04T14:30:00+01:00', delayMinutes: 10 }, booked)).toBe('2026-05-04T13:30:00.000Z');
  });

  test('must be in the future', () => {
    expect(refusal({ newReadyAt: '2026-05-04T12:00:00Z' })).toMatch(/^INVALID_ETA newReadyAt/);
    expect(eta({ newReadyAt: '2026-05-04T12:00:00.001Z' })).toBe('2026-05-04T12:00:00.001Z');
  });

  test('may be one day after the expected time, and not a millisecond more', () => {
    const booked = { requested_collection_at: '2026-05-04T15:00:00Z' };
    expect(eta({ newReadyAt: '2026-05-05T15:00:00Z' }, booked)).toBe('2026-05-05T15:00:00.000Z');
    expect(refusal({ newReadyAt: '2026-05-05T15:00:00.001Z' }, booked)).toMatch(/^INVALID_ETA newReadyAt.*24 hours/);
  });
});

test('a notice with neither minutes nor a time is refused, naming both fields', () => {
  expect(refusal({})).toMatch(/^INVALID_ETA .*delayMinutes.*newReadyAt/);
});
