import { expect, test } from '@jest/globals';
import { grownBeyond, whyNotCompared } from './processor-time.ts';

const recorded = {
  loopMs: 100,
  lines: [
    { quick: 300, full: 200, why: 'The first.' },
    { quick: 400, full: 200, why: 'Two services more.' },
  ],
};

test('a run that took more than a tenth above the newest line has grown, one of which nothing was measured has not', () => {
  expect(grownBeyond(recorded, { quick: 440, full: 220 })).toEqual([]);
  expect(grownBeyond(recorded, { full: 221 })).toEqual(['The full run took 221 s of processor time; recorded are 200 s.']);
  expect(grownBeyond(recorded, { quick: 441, full: 100 })).toEqual([expect.stringContaining('quick run took 441 s')]);
});

test('seconds of another machine, and those beside other programs, are not compared', () => {
  expect(whyNotCompared(recorded, 105, 0.05)).toBeNull();
  expect(whyNotCompared(recorded, 120, 0)).toBe('a loop took 120 ms and not 100');
  expect(whyNotCompared(recorded, 100, 0.2)).toBe('other programs took 20 % of that beside it');
});
