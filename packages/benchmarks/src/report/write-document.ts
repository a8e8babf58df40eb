import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { checkout } from '@corner/sandbox';
import { withBudget } from './budgets.ts';
import type { Report } from './report.ts';
import { reportAsMarkdown, withResults } from './report-as-markdown.ts';
import { reportAsSvg } from './report-as-svg.ts';

/** Writes the results into docs/benchmarks.md, whose explanations stay, with the budgets of missed goals, and their picture beside it. */
export async function writeDocument(measured: Report): Promise<void> {
  const report = { ...measured, parts: measured.parts.map((part) => ({ ...part, findings: part.findings.map(withBudget) })) };
  const document = `${checkout}/docs/benchmarks.md`;
  await writeFile(document, withResults(await readFile(document, 'utf8'), reportAsMarkdown(report)));
  await promisify(execFile)(`${checkout}/node_modules/.bin/biome`, ['format', '--write', document]);
  await writeFile(`${checkout}/docs/benchmarks.svg`, reportAsSvg(report));
}
