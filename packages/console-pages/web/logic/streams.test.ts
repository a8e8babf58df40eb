import { expect, test } from '@jest/globals';
import { flowOf, flowOfAll, type Producer } from './streams.ts';

const stream = { messages: 1, bytes: 1, last_sequence: 1, leader: null, replicas: 1 };
const consumer = {
  service: 'loyalty' as const,
  pending: 2,
  unacknowledged: 0,
  redelivered: 0,
  last_active_at: null,
  complete: null,
  fault: null as string | null,
};
const producer: Producer = {
  producer: 'orders',
  upstream: false,
  stream,
  unpublished: 0,
  oldest_unpublished_at: null,
  fault: null,
  consumers: [consumer],
};

test('events flow when the service and the broker say so, and what one of them does not say is unknown', () => {
  expect(flowOf(producer)).toBe('flowing');
  expect(flowOf({ ...producer, stream: 'unknown' })).toBe('unknown');
  expect(flowOf({ ...producer, unpublished: null })).toBe('unknown');
  expect(flowOf({ ...producer, upstream: true, unpublished: null })).toBe('flowing');
  expect(flowOf({ ...producer, consumers: [{ ...consumer, pending: null }] })).toBe('unknown');
});

test('a fault that one of them says is not hidden by what another does not say', () => {
  expect(flowOf({ ...producer, stream: 'unknown', fault: 'Nothing is published.' })).toBe('stuck');
  expect(flowOf({ ...producer, stream: 'unknown', consumers: [{ ...consumer, pending: null, fault: 'It cannot pull events.' }] })).toBe(
    'stuck',
  );
});

test('all streams together have their faults, what is not known, and the events that wait', () => {
  const silent: Producer = { ...producer, producer: 'queue', stream: 'unknown', consumers: [{ ...consumer, pending: null }] };
  expect(flowOfAll([producer, silent, { ...producer, fault: 'x' }])).toEqual({ stuck: 1, unknown: ['queue'], waiting: 4 });
});
