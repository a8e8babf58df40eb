import { globSync, readFileSync } from 'node:fs';
import { problems } from '@corner/contracts';
import { expect, test } from '@jest/globals';

const root = new URL('../../../../', import.meta.url).pathname;
const sources = globSync(['services/*/src/**/*.ts', 'packages/chassis/src/**/*.ts'], { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !file.includes('/testing/'),
);
const code = sources.map((file) => readFileSync(`${root}/${file}`, 'utf8')).join('\n');

test('every problem code is used by production code', () => {
  expect(sources.length).toBeGreaterThan(100);
  const unused = Object.keys(problems).filter((name) => !code.includes(`'${name}'`));
  expect(unused).toEqual([]);
});

test('every problem code that is thrown is in the catalogue', () => {
  const thrown = [...code.matchAll(/new Problem\(\s*'([^']*)'/g)].map(([, name]) => name);
  expect(thrown.length).toBeGreaterThan(50);
  expect(thrown.filter((name) => !(name !== undefined && name in problems))).toEqual([]);
});

test('every problem code has a message, a cause and a fix in whole sentences', () => {
  for (const [name, { status, message, cause, fix }] of Object.entries(problems)) {
    expect([name, status >= 400 && status < 600]).toEqual([name, true]);
    for (const sentence of [message, cause, fix]) expect(sentence).toMatch(/^[A-Z].*\.$|^[a-z_]+ .*\.$/s);
  }
});
