import { expect, test } from '@jest/globals';
import { channelsOf, countsOf, deadLettersIn, lagLines } from './figures.ts';

test('versions of an event type count together, other types do not', () => {
  const minutes = ['2026-11-23T12:00:00Z', '2026-11-23T12:01:00Z'];
  const counts = { 'order.created': [1, 2], 'order.created.v2': [3, 0], 'order.created_again': [9, 9] };
  expect(countsOf({ minutes, counts }, 'order.created')).toEqual([4, 2]);
  expect(countsOf({ minutes, counts }, 'order.paid')).toEqual([0, 0]);
});

test('dead letters of a service that does not say how many it has are not known; a process that has none does not count', () => {
  const process = (name: string, open_dead_letters: number | null) => ({
    name,
    open_dead_letters,
    ready: true,
    checks: {},
    version: null,
    started_at: null,
  });
  expect(deadLettersIn([process('orders', 2), process('loyalty', 1), process('gateway', null)])).toEqual({ known: 3, unknown: [] });
  expect(deadLettersIn([process('orders', 2), process('loyalty', null)])).toEqual({ known: 2, unknown: ['loyalty'] });
});

test('lags are lines over common instants, with gaps where a service has no sample', () => {
  const { instants, lines } = lagLines([
    { at: 't2', service: 'queue', events: 4 },
    { at: 't1', service: 'loyalty', events: 1 },
    { at: 't2', service: 'loyalty', events: 2 },
  ]);
  expect(instants).toEqual(['t1', 't2']);
  expect(lines).toEqual([
    { label: 'loyalty', values: [1, 2] },
    { label: 'queue', values: [null, 4] },
  ]);
});

test('messages are counted by channel, the largest first', () => {
  const counts = [
    { channel: 'sms', state: 'sent', count: 2 },
    { channel: 'push', state: 'failed', count: 1 },
    { channel: 'push', state: 'sent', count: 5 },
  ];
  expect(channelsOf(counts)).toEqual([
    {
      channel: 'push',
      total: 6,
      states: [
        { state: 'sent', count: 5 },
        { state: 'failed', count: 1 },
      ],
    },
    { channel: 'sms', total: 2, states: [{ state: 'sent', count: 2 }] },
  ]);
});
