import { globSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const folder = new URL('../docs/decisions/', import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .toSorted();
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

test('decisions are numbered without gaps, and the list links each by its title', () => {
  const list = read('README.md').replaceAll(/\s+/g, ' ');
  for (const [index, name] of names.entries()) {
    const [, number, title] = /^# (\d+)\. (.+)\n/.exec(read(name)) ?? [];
    expect([name, Number(number)]).toEqual([expect.stringMatching(`^${String(index + 1).padStart(4, '0')}-`), index + 1]);
    expect(list).toContain(`[${title}](${name})`);
  }
});

test.each(names)('%s is read in two minutes', (name) => {
  expect(read(name).split(/\s+/).length).toBeLessThan(520);
});

test.each(names)('%s has a date, and says what was decided, why, and what follows', (name) => {
  expect(read(name)).toMatch(
    /^# .+\n\n\d{4}-\d\d-\d\d(?:, changed \d{4}-\d\d-\d\d)?\n\n\*\*Decision\.\*\*\s.+\*\*Why.+\*\*Consequences\.\*\*/s,
  );
});

test('the decision on libraries has a line for each library of a package.json', () => {
  const root = new URL('..', import.meta.url).pathname;
  const used = globSync(['package.json', '{packages,services}/*/package.json'], { cwd: root }).flatMap((path) => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(`${root}/${path}`, 'utf8')) as Record<string, object | undefined>;
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  const libraries = [...new Set(used)].filter((name) => !/^@(?:corner|types)\//.test(name));
  expect(libraries.length).toBeGreaterThan(40);
  const page = read(names.find((name) => name.includes('toolchain')) ?? '');
  const named = (name: string) => page.includes(`**${name}**`) || page.includes(`**${name.split('/')[0]}**`);
  expect(libraries.filter((name) => !named(name))).toEqual([]);
});
