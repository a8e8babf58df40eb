import { expect, test } from '@jest/globals';
import { errorsIn } from './complaints.ts';

test('the errors of a log are read while its last line is being written', () => {
  const failed = JSON.stringify({ msg: 'a job failed', err: { message: 'away' } });
  expect(errorsIn(`${failed}\nRangeError: too many\n${failed}\n${failed.slice(0, 30)}`)).toEqual([
    'a job failed: away',
    'RangeError: too many',
  ]);
});
