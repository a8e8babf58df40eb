import { expect, jest, test } from '@jest/globals';
import { startSystemUnderTest } from '../under-test/running-system.ts';
import { documented } from './document.ts';
import { inWords } from './report.ts';
import { fuzz } from './run.ts';

jest.setTimeout(180_000);

/** Another seed is another run: `node src/fuzz/main.ts` draws one and takes twenty thousand requests. */
const seed = 20_261_121;

test('whatever is sent to whichever operation, the answer is one that the document promises', async () => {
  await using under = await startSystemUnderTest();
  const fuzzed = await fuzz(under.system, { requests: 1_500, seed });
  expect(fuzzed.faults.length === 0 ? '' : inWords(fuzzed)).toBe('');
  // Requests that are all turned away at the door would show nothing.
  expect([...fuzzed.answers.keys()].sort()).toEqual(documented.map(({ id }) => id));
  const done = [...fuzzed.answers].filter(([, counts]) => counts.has(200)).map(([operation]) => operation);
  expect(done.length).toBeGreaterThan(documented.length * 0.7);
});
