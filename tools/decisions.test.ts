import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const folder = new URL('../docs/decisions/', import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .toSorted();
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

test('decisions are numbered without gaps, and the list links each by its title', () => {
  const list = read('README.md');
  for (const [index, name] of names.entries()) {
    const [, number, title] = /^# (\d+)\. (.+)\n/.exec(read(name)) ?? [];
    expect([name, Number(number)]).toEqual([expect.stringMatching(`^${String(index + 1).padStart(4, '0')}-`), index + 1]);
    expect(list).toContain(`[${title}](${name})`);
  }
});

test.each(names)('%s has a date, and says what was decided, why, and what follows', (name) => {
  expect(read(name)).toMatch(
    /^# .+\n\n\d{4}-\d\d-\d\d(?:, changed \d{4}-\d\d-\d\d)?\n\n\*\*Decision\.\*\* .+\*\*Why.+\*\*Consequences\.\*\*/s,
  );
});
