import { expect, test } from '@jest/globals';
import { quoteWait } from './quote-wait.ts';
import { chair, party, span, testFloor } from './testing/test-floor.ts';

const floor = testFloor({ chairs: [chair('A', { shifts: [span(0, 60)] })] });

test('the wait is the time until the parties ahead are served', () => {
  expect(quoteWait(floor, [], party('cut'))).toBe(0);
  expect(quoteWait(floor, [party('cut')], party(null))).toBe(30);
});

test('a party that does not fit behind the others is refused with NO_CAPACITY_TODAY', () => {
  expect(() => quoteWait(floor, [party('cut'), party('cut')], party('cut'))).toThrow(
    expect.objectContaining({ code: 'NO_CAPACITY_TODAY' }),
  );
});

test('a service or chair the store does not have is refused by name', () => {
  expect(() => quoteWait(floor, [], party('dye'))).toThrow(expect.objectContaining({ code: 'SERVICE_NOT_FOUND' }));
  expect(() => quoteWait(floor, [], party('cut', 1, 'Z'))).toThrow(expect.objectContaining({ code: 'UNIT_NOT_FOUND' }));
});
