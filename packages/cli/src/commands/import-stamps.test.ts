import { expect, test } from '@jest/globals';
import { runCorner } from '../testing/run-corner.ts';

test('a file comes on standard input too, as into a pod that no file can be copied to', async () => {
  const { code, errors } = await runCorner(['import-stamps', '-'], process.env, 'store,stamps\nCOFFEE,7\n');
  expect(code).not.toBe(0);
  expect(errors).toContain('line 1: the columns customer are missing');
});
