import type { Finding } from './figures.ts';

/** By what a row measures: where a figure that misses its goal goes, what was tried, and what each try gave. */
const budgets: Readonly<Record<string, string>> = {};

/** The row with its budget, which is printed when it misses its goal. */
export function withBudget(finding: Finding): Finding {
  const budget = finding.budget ?? budgets[finding.what];
  return budget === undefined ? finding : { ...finding, budget };
}
