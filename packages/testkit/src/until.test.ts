import { expect, test } from '@jest/globals';
import { until } from './until.ts';

test('answers what was seen, as soon as it is true', async () => {
  let looks = 0;
  const seen = await until(async () => (++looks < 3 ? null : { looks }), { describe: 'the third look' });
  expect(seen.looks).toBe(3);
});

test('a look that fails is not yet the end', async () => {
  let looks = 0;
  const look = () => {
    looks += 1;
    if (looks === 1) throw new Error('not there yet');
    return looks;
  };
  expect(await until(look, { describe: 'a look that works' })).toBe(2);
});

test('says what it waited for, what it saw last and what went wrong', async () => {
  await expect(until(() => false, { describe: 'a dead letter', timeoutMs: 40 })).rejects.toThrow(
    'waited 40 ms in vain for a dead letter; last seen: false',
  );
  const fault = new Error('no such table');
  const given = until(() => Promise.reject(fault), { describe: 'a row', timeoutMs: 40 });
  await expect(given).rejects.toMatchObject({ message: expect.stringContaining('a row; the last look failed'), cause: fault });
});
