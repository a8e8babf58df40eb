import { expect, test } from '@jest/globals';
import { retryDelayMs } from '../jobs.ts';

test('the delay doubles from 5 seconds to an hour', () => {
  expect([1, 2, 3, 10, 11, 32].map(retryDelayMs)).toEqual([5_000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000]);
});
