import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (name: string) => readFileSync(`${import.meta.dirname}/../../../../docs/${name}`, 'utf8');
const budgets = read('budgets.md');

const goals = [...read('benchmarks.md').matchAll(/^\| (?<what>[^|]+?) +\|.*\| (?<verdict>met|missed) +\|$/gm)].map(({ groups }) => ({
  what: groups?.what,
  verdict: groups?.verdict,
}));
const named = [...budgets.matchAll(/^- \*\*(.+)\*\*$/gm)].map(([, what]) => what);

test('docs/budgets.md names every goal that is missed, once, and no row that has no goal', () => {
  expect(goals.length).toBeGreaterThan(40);
  const missed = goals.filter(({ verdict }) => verdict === 'missed').map(({ what }) => what);
  expect(missed.filter((what) => !named.includes(what ?? ''))).toEqual([]);
  expect(named.filter((what) => !goals.some((goal) => goal.what === what))).toEqual([]);
  expect(named).toEqual([...new Set(named)]);
});

test('each budget says what dominates, what was tried and what the floor is', () => {
  const sections = budgets.split(/^## /m).slice(1);
  expect(sections.length).toBeGreaterThan(0);
  for (const section of sections) for (const part of ['**What dominates:**', '**Tried:**', '**Floor:**']) expect(section).toContain(part);
});
