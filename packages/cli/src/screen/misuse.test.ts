import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { corner } from '../program.ts';
import { runCommandLine } from '../run-command-line.ts';
import { endWithoutReader, main, runCorner } from '../testing/run-corner.ts';
import { Failure, formatFailure, toFailure } from './failure.ts';

const misuses = [
  { args: ['tokn'], why: "unknown command 'tokn' (Did you mean token?)", fix: 'npx corner --help' },
  { args: ['token'], why: "missing required argument 'kind'", fix: 'npx corner token --help' },
  { args: ['start', '--bogus'], why: "unknown option '--bogus'", fix: 'npx corner start --help' },
  { args: ['start', '--port', 'none'], why: /A port is a number from 1 to 65535/, fix: 'npx corner start --help' },
  { args: ['dead-letters', 'retry', '--servce', 'loyalty'], why: /unknown option '--servce'/, fix: 'npx corner dead-letters retry --help' },
  { args: ['status', '--data', ''], why: '--data is empty', fix: 'npx corner status --help' },
  { args: ['explain', ' '], why: 'id is empty', fix: 'npx corner explain --help' },
  {
    args: ['replay', '--service', 'loyalty', '--since', '1h', '--by', 'a b'],
    why: /A name has no spaces/,
    fix: 'npx corner replay --help',
  },
];

test.each(misuses)('a wrong command line is answered in three lines: corner $args', async ({ args, why, fix }) => {
  const { code, output, errors } = await runCommandLine(args);
  expect({ code: code !== 0, output }).toEqual({ code: true, output: '' });
  const lines = errors.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe('  failed  nothing was done');
  expect(lines[1]?.replace('  why     ', '')).toEqual(typeof why === 'string' ? why : expect.stringMatching(why));
  expect(lines[2]).toBe(`  fix     ${fix}`);
});

const wrongValues = [
  { args: ['explain', 'S1-1', '--nats', 'garbage'], why: 'is no address of NATS', fix: 'NATS_URL=garbage npx corner doctor' },
  { args: ['erase', 'list', '--nats', 'garbage'], why: 'is no address of NATS', fix: 'NATS_URL=garbage npx corner doctor' },
  { args: ['erase', 'list', '--data', '/tmp/corner-nowhere', '--nats', 'garbage'], why: 'is no address of NATS', fix: 'NATS_URL=garbage' },
  { args: ['apply', '--nats', 'garbage'], why: 'is no address of NATS', fix: 'NATS_URL=garbage npx corner doctor' },
  { args: ['explain', 'S1-1', '--logs', '/nowhere'], why: '/nowhere', fix: 'name a log file' },
  { args: ['try', '--gateway', 'garbage', '--payments', 'http://localhost:1'], why: 'garbage is no address', fix: '--gateway http://' },
  { args: ['try', '--run', main], why: 'does not describe a running system', fix: 'name another file' },
  { args: ['run', 'first.ts', '--data', '/tmp/corner-nowhere'], why: 'corner is not running', fix: 'npx corner start --data' },
  { args: ['address', '--data', '/tmp/corner-nowhere'], why: 'corner is not running', fix: 'npx corner start --data' },
  { args: ['client', main], why: 'is no folder', fix: 'name a folder' },
  { args: ['nats-users', '--operator', 'orders'], why: 'is the user of a process', fix: 'npx corner nats-users --help' },
  { args: ['nats-users', '--operator', 'a-b', '--operator', 'a_b'], why: 'the same password', fix: 'npx corner nats-users --help' },
];

test.each(wrongValues)('a value that cannot be used is named in a sentence: corner $args', async ({ args, why, fix }) => {
  const lines = (await runCommandLine(args)).errors.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect([lines[1], lines[2]]).toEqual([expect.stringContaining(why), expect.stringContaining(fix)]);
});

test('the doctor names the setting of a server that it cannot reach, and what to do', async () => {
  const { output } = await runCorner(['doctor'], { ...process.env, DATABASE_URL: 'garbage', NATS_URL: 'nats://localhost:1' });
  expect(output).toMatch(/no {2}postgres +DATABASE_URL: this is no address of Postgres.*\n +correct it/);
  expect(output).toMatch(/no {2}nats +NATS_URL: NATS at nats:\/\/localhost:1 cannot be reached.*\n +correct it/);
});

test('a start with an address that is none names the setting', async () => {
  const { errors } = await runCorner(['start', '--data', '/tmp/corner-nowhere'], { ...process.env, DATABASE_URL: 'hello' });
  expect(errors).toMatch(/why +DATABASE_URL: this is no address of Postgres; one looks like postgres:/);
});

test('a wrong command line with --json is answered as JSON', async () => {
  const { output, errors } = await runCommandLine(['token', '--json']);
  expect(JSON.parse(output)).toEqual({
    error: { what: 'nothing was done', why: "missing required argument 'kind'", fix: 'npx corner token --help' },
  });
  expect(errors).toBe('');
});

test('the fix of a failure names the data folder of the command, where its own command would find nothing', async () => {
  const { code, errors } = await runCorner(['status', '--data', '/tmp/corner-nowhere']);
  expect(code).toBe(1);
  expect(errors).toContain('fix     npx corner start --data /tmp/corner-nowhere');
});

test('a command whose reader has gone, as in corner --help | head, ends without a word', async () => {
  expect(await endWithoutReader(['--help'])).toEqual({ code: 0, errors: '' });
});

const all = (command: Command, words: readonly string[] = []): { readonly command: Command; readonly words: readonly string[] }[] =>
  command.commands.flatMap((below) => [{ command: below, words: [...words, below.name()] }, ...all(below, [...words, below.name()])]);
const commands = all(corner).filter(({ command }) => command.name() !== 'help');

test('every misuse of every command is a failure of three lines', async () => {
  expect(commands.length).toBeGreaterThan(20);
  for (const { command, words } of commands) {
    const needsMore = command.commands.length > 0 || command.registeredArguments.some(({ required }) => required);
    const lines = [[...words, '--bogus'], ...(needsMore ? [words] : []), [...words, 'one', 'two', 'three']];
    for (const line of lines) {
      const failure = await corner.parseAsync(line, { from: 'user' }).then(
        () => null,
        (error: unknown) => toFailure(error),
      );
      expect([line, failure instanceof Failure && failure.what]).toEqual([line, 'nothing was done']);
      expect([
        line,
        formatFailure(failure as Failure)
          .trimEnd()
          .split('\n').length,
      ]).toEqual([line, 3]);
    }
  }
});

test('--json prints JSON on every command, --yes never asks', () => {
  for (const { command, words } of commands.filter(({ command }) => command.commands.length === 0)) {
    const [json, yes] = ['--json', '--yes'].map((name) => command.options.find(({ long }) => long === name));
    expect([words, json?.description]).toEqual([words, expect.stringMatching(/^(?:when ready, )?print .*\bJSON\b/)]);
    if (yes) expect([words, yes.description]).toEqual([words, 'do not ask for confirmation']);
  }
});
