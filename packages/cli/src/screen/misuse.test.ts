import { expect, test } from '@jest/globals';
import { runCorner } from '../testing/run-corner.ts';

const misuses = [
  { args: ['tokn'], why: "unknown command 'tokn' (Did you mean token?)", fix: 'npx corner --help' },
  { args: ['token'], why: "missing required argument 'kind'", fix: 'npx corner token --help' },
  { args: ['start', '--bogus'], why: "unknown option '--bogus'", fix: 'npx corner start --help' },
  { args: ['start', '--port', 'none'], why: /A port is a number from 1 to 65535/, fix: 'npx corner start --help' },
  { args: ['dead-letters', 'retry', '--servce', 'loyalty'], why: /unknown option '--servce'/, fix: 'npx corner dead-letters retry --help' },
];

test.each(misuses)('a wrong command line is answered in three lines: corner $args', async ({ args, why, fix }) => {
  const { code, output, errors } = await runCorner(args);
  expect({ code: code !== 0, output }).toEqual({ code: true, output: '' });
  const lines = errors.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe('  failed  nothing was done');
  expect(lines[1]?.replace('  why     ', '')).toEqual(typeof why === 'string' ? why : expect.stringMatching(why));
  expect(lines[2]).toBe(`  fix     ${fix}`);
});

test('a wrong command line with --json is answered as JSON', async () => {
  const { output, errors } = await runCorner(['token', '--json']);
  expect(JSON.parse(output)).toEqual({
    error: { what: 'nothing was done', why: "missing required argument 'kind'", fix: 'npx corner token --help' },
  });
  expect(errors).toBe('');
});

test('the fix of a failure names the data folder of the command, where its own command would find nothing', async () => {
  const { errors } = await runCorner(['status', '--data', '/tmp/corner-nowhere']);
  expect(errors).toContain('fix     npx corner start --data /tmp/corner-nowhere');
});
