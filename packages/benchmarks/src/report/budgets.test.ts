import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const document = readFileSync(`${import.meta.dirname}/../../../../docs/benchmarks.md`, 'utf8');
const [results = '', budgets = ''] = document.split('<!-- end of results -->');

/** The rows of the table of goals: what is measured, and whether its goal is met. */
const goals = [...between(results, '### Goals', '### ').matchAll(/^\| (?<what>[^|]+?) +\|.*\| (?<verdict>met|missed) +\|$/gm)].map(
  ({ groups }) => ({ what: groups?.what, verdict: groups?.verdict }),
);
const named = [...budgets.matchAll(/^- \*\*(.+)\*\*$/gm)].map(([, what]) => what);

function between(text: string, begin: string, end: string): string {
  const after = text.split(begin)[1] ?? '';
  return after.split(end)[0] ?? '';
}

test('the budgets name every goal that is missed, once, and no row that has no goal', () => {
  expect(goals.length).toBeGreaterThan(40);
  const missed = goals.filter(({ verdict }) => verdict === 'missed').map(({ what }) => what);
  expect(missed.filter((what) => !named.includes(what ?? ''))).toEqual([]);
  expect(named.filter((what) => !goals.some((goal) => goal.what === what))).toEqual([]);
  expect(named).toEqual([...new Set(named)]);
});

test('each budget says what dominates, what was tried and what the floor is', () => {
  const sections = budgets.split(/^### /m).slice(1);
  expect(sections.length).toBeGreaterThan(0);
  for (const section of sections) for (const part of ['**What dominates:**', '**Floor:**']) expect(section).toContain(part);
  for (const section of sections) expect(section).toMatch(/\*\*Tried:\*\*|^\| tried/m);
});
