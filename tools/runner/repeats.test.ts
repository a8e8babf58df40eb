import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Ended } from './protocol.ts';
import { Repeats } from './repeats.ts';

const resultOf = (numFailingTests: number, more: object = {}): Ended => ({
  result: { testResults: [{ status: numFailingTests > 0 ? 'failed' : 'passed' }], numFailingTests, perfStats: {}, ...more },
});
const passed = resultOf(0);
const failed = resultOf(1, { failureMessage: 'the basket is empty' });
const died: Ended = { error: { message: 'SIGKILL', stack: 'SIGKILL', type: 'Error' } };
const failedAfterwards = resultOf(0, { testExecError: { message: '' } });

let folder: string;
let list: string;
let said: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repeats-'));
  list = join(folder, 'passed');
  writeFileSync(list, '');
  said = '';
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(first: Readonly<Record<string, Ended>>, second: Readonly<Record<string, Ended>> = {}, isRepeating = true) {
  const repeats = new Repeats<{ readonly path: string }>({
    list: isRepeating ? list : undefined,
    rootDir: '/checkout',
    say: (text) => {
      said += text;
    },
  });
  const reported: [string, 'passed' | 'failed'][] = [];
  const again: string[] = [];
  const report = async ({ path }: { readonly path: string }, ended: Ended) => {
    const isGood = 'result' in ended && ended.result.numFailingTests === 0 && !ended.result.testExecError;
    reported.push([path, isGood ? 'passed' : 'failed']);
  };
  for (const [path, ended] of Object.entries(first)) if (!repeats.hold({ path }, ended)) await report({ path }, ended);
  await repeats.repeat({
    report,
    isInterrupted: () => false,
    runAlone: async ({ path }) => {
      again.push(path);
      return second[path] ?? passed;
    },
  });
  return { reported, again };
}

const listed = () => readFileSync(list, 'utf8');

describe('a failed file of whole systems', () => {
  test('runs again when all others have ended, and only its second result is reported and listed', async () => {
    const { reported, again } = await run({ '/checkout/a.system.test.ts': failed, '/checkout/b.test.ts': passed });
    expect(reported).toEqual([
      ['/checkout/b.test.ts', 'passed'],
      ['/checkout/a.system.test.ts', 'passed'],
    ]);
    expect(again).toEqual(['/checkout/a.system.test.ts']);
    expect(listed()).toBe('a.system.test.ts\n');
    expect(said).toContain('the basket is empty');
  });

  test('has failed when it fails again, and is not listed', async () => {
    const { reported, again } = await run({ '/checkout/a.system.test.ts': failed }, { '/checkout/a.system.test.ts': failed });
    expect(reported).toEqual([['/checkout/a.system.test.ts', 'failed']]);
    expect(again).toHaveLength(1);
    expect(listed()).toBe('');
  });

  test('runs again as well when its process ended early, or an afterAll failed', async () => {
    const { reported, again } = await run({ '/checkout/a.system.test.ts': died, '/checkout/b.system.test.ts': failedAfterwards });
    expect(again).toEqual(['/checkout/a.system.test.ts', '/checkout/b.system.test.ts']);
    expect(reported.map(([, how]) => how)).toEqual(['passed', 'passed']);
  });

  test('has failed when the process of its second run ends early, or an afterAll fails again', async () => {
    const [a, b] = ['/checkout/a.system.test.ts', '/checkout/b.system.test.ts'];
    const { reported } = await run({ [a]: died, [b]: failedAfterwards }, { [a]: died, [b]: failedAfterwards });
    expect(reported.map(([, how]) => how)).toEqual(['failed', 'failed']);
    expect(listed()).toBe('');
  });

  test('does not run again without a list, as in a run of one’s own', async () => {
    expect((await run({ '/checkout/a.system.test.ts': failed }, {}, false)).reported).toEqual([['/checkout/a.system.test.ts', 'failed']]);
  });
});

test('a failed quick file is never repeated', async () => {
  expect(await run({ '/checkout/a.test.ts': failed })).toEqual({ reported: [['/checkout/a.test.ts', 'failed']], again: [] });
});

test('a third failed file is one too many, also when an earlier run of the verdict had the others: none is repeated', async () => {
  const [a, b, c] = ['/checkout/a.system.test.ts', '/checkout/b.system.test.ts', '/checkout/c.system.test.ts'];
  expect((await run({ [a]: failed, [b]: failed, [c]: failed })).again).toEqual([]);
  expect((await run({ [a]: failed, [b]: failed })).again).toEqual([a, b]);
  const { reported, again } = await run({ [c]: failed });
  expect([reported, again]).toEqual([[[c, 'failed']], []]);
});
