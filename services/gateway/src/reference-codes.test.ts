import { globSync, readFileSync } from 'node:fs';
import { problems } from '@corner/contracts';
import { expect, test } from '@jest/globals';

/** All that runs in production and may refuse something. That it names no code of its own making is the compiler's business. */
const root = new URL('../../../', import.meta.url).pathname;
const sources = globSync(['services/*/src/**/*.ts', 'packages/chassis/src/**/*.ts'], { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !file.includes('under-test'),
);
const code = sources.map((file) => readFileSync(`${root}/${file}`, 'utf8')).join('\n');

test('every code of the catalogue is answered by something', () => {
  expect(sources.length).toBeGreaterThan(100);
  const idle = Object.keys(problems).filter((name) => !code.includes(`'${name}'`));
  expect(idle).toEqual([]);
});

test('every code anything throws is in the catalogue', () => {
  const thrown = [...code.matchAll(/new Problem\(\s*'([^']*)'/g)].map(([, name]) => name);
  expect(thrown.length).toBeGreaterThan(50);
  expect(thrown.filter((name) => !(name !== undefined && name in problems))).toEqual([]);
});

test('every entry says what it means, why it happens and what to do', () => {
  for (const [name, { status, message, cause, fix }] of Object.entries(problems)) {
    expect([name, status >= 400 && status < 600]).toEqual([name, true]);
    for (const sentence of [message, cause, fix]) expect(sentence).toMatch(/^[A-Z].*\.$|^[a-z_]+ .*\.$/s);
  }
});
