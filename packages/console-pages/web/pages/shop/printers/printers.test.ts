import { expect, test } from '@jest/globals';
import type { Printer } from '../printer-operations.ts';
import { faultText } from './printers.ts';

const printer = (fields: Partial<Printer>): Printer => ({
  id: 'p',
  name: 'Kitchen',
  language: 'en',
  last_seen_at: '2026-05-01T12:00:00Z',
  status: 'away',
  detail: null,
  tickets_waiting: 0,
  tickets_not_printed: 0,
  ...fields,
});

test('a printer that does not print is said with what it needs and the tickets that wait, one that prints is not', () => {
  expect(
    [
      printer({ status: 'online' }),
      printer({ tickets_waiting: 2 }),
      printer({ tickets_waiting: 1, last_seen_at: '2026-05-01T12:05:00Z' }),
      printer({ last_seen_at: null }),
      printer({ status: 'error', detail: 'It is out of paper.', tickets_waiting: 1 }),
      printer({ status: 'error' }),
    ].map((each) => faultText(each, 'Europe/London')),
  ).toEqual([
    null,
    'Kitchen is away since 13:00. 2 tickets wait for it.',
    'Kitchen is away since 13:05. A ticket waits for it.',
    'Kitchen has not asked for a ticket yet.',
    'Kitchen: It is out of paper. A ticket waits for it.',
    'Kitchen: it cannot print.',
  ]);
});
