import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const checkout = resolve(import.meta.dirname, '../..');

function filesOf(kind: string): string[] {
  const args = ['node_modules/jest/bin/jest.js', '--listTests', '--json'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: checkout, encoding: 'utf8', env: { ...process.env, CORNER_TESTS: kind } });
  return (JSON.parse(stdout) as string[]).map((path) => relative(checkout, path)).sort();
}

const [quick, full, all] = [filesOf('quick'), filesOf('full'), filesOf('')];

test('every test file is run by the quick run or by the full one, and none by both', () => {
  const written = globSync('{packages,services,tools}/**/*.test.ts', { cwd: checkout, exclude: ['**/node_modules'] });
  expect(all).toEqual(written.sort());
  expect([...quick, ...full].sort()).toEqual(all);
});

test('the full run has only tests of whole systems, and the quick one of these only the walks', () => {
  expect(full.filter((path) => !path.endsWith('.system.test.ts') || path.includes('/walks/'))).toEqual([]);
  expect(quick.filter((path) => path.endsWith('.system.test.ts') && !path.includes('/walks/'))).toEqual([]);
});

test('a test that starts a whole system or a browser is named *.system.test.ts', () => {
  const starts = /\b(?:start(?:Test)?(?:System|Environment)|startStage|sharedEnvironment|findBrowser)\(/;
  const named = all.filter((path) => starts.test(readFileSync(`${checkout}/${path}`, 'utf8')));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !path.endsWith('.system.test.ts') && path !== 'tools/runner/kinds.test.ts')).toEqual([]);
});
