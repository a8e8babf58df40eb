import { writeFileSync } from 'node:fs';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { errorLines } from './error-lines.ts';

test('of an error that ends with the message of its cause, the sentence is said once; another cause is said too', async () => {
  await using folder = await testFolder();
  const log = `${folder.path}/migrations.log`;
  const error = (message: string, cause: string) =>
    `Error: ${message}\n    at start (/main.ts:6:3) {\n  [cause]: ${cause}\n      at run (/run.ts:1:1)\n}\n\nNode.js v26.0.0\n`;
  writeFileSync(log, error('the migrations of orders failed: no table', 'DatabaseError: no table'));
  expect(errorLines(log)).toBe('Error: the migrations of orders failed: no table');
  writeFileSync(log, error('the migrations failed', 'Error: no table'));
  expect(errorLines(log)).toBe('Error: the migrations failed\n  [cause]: Error: no table');
});
