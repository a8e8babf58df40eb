import { expect, test } from '@jest/globals';
import { until } from './until.ts';

test('until returns the first truthy value', async () => {
  let looks = 0;
  const seen = await until(async () => (++looks < 3 ? null : { looks }), { describe: 'the third look' });
  expect(seen.looks).toBe(3);
});

test('a check that throws is tried again', async () => {
  let looks = 0;
  const look = () => {
    looks += 1;
    if (looks === 1) throw new Error('not there yet');
    return looks;
  };
  expect(await until(look, { describe: 'a look that works' })).toBe(2);
});

test('a wait that takes too long fails with what was expected, the last value and the last error', async () => {
  await expect(until(() => false, { describe: 'a dead letter', timeoutMs: 40 })).rejects.toThrow(
    'waited 40 ms in vain for a dead letter; last seen: false',
  );
  const fault = new Error('no such table');
  const given = until(() => Promise.reject(fault), { describe: 'a row', timeoutMs: 40 });
  await expect(given).rejects.toMatchObject({ message: expect.stringContaining('a row; the last look failed'), cause: fault });
});
