import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const page = readFileSync(`${import.meta.dirname}/../../../../docs/measurements.md`, 'utf8');
const sectionOf = (title: string) => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

const [, table = ''] = /<!-- goals -->(.*)<!-- end of goals -->/s.exec(page) ?? [];
const missed = [...table.matchAll(/^\| ([^|]+?) \|/gm)].map(([, what = '']) => what).slice(2);
const explanations = sectionOf('Missed goals');
const named = [...explanations.matchAll(/^- \*\*(.+)\*\*$/gm)].map(([, beginning = '']) => beginning);

test('docs/measurements.md explains every goal that is missed once, and no goal that is met', () => {
  const [, met, all] = /(\d+) of (\d+)\s+goals\s+are\s+met/.exec(table) ?? [];
  expect(Number(all)).toBeGreaterThan(40);
  expect(missed).toHaveLength(Number(all) - Number(met));
  const explaining = (what: string) => named.filter((beginning) => what.startsWith(beginning));
  expect(missed.filter((what) => explaining(what).length !== 1)).toEqual([]);
  expect(named.filter((beginning) => !missed.some((what) => what.startsWith(beginning)))).toEqual([]);
});

test('each explanation of missed goals says what costs the time, what was tried and what the floor is', () => {
  const sections = explanations.split(/^### /m).slice(1);
  expect(sections.length).toBeGreaterThan(0);
  for (const section of sections) for (const part of ['**Cost:**', '**Tried:**', '**Floor:**']) expect(section).toContain(part);
});
