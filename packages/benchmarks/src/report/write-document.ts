import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { checkout } from '@corner/sandbox';
import type { Report } from './report.ts';
import { reportAsMarkdown, withResults } from './report-as-markdown.ts';
import { reportAsSvg } from './report-as-svg.ts';

/** Writes the results into docs/benchmarks.md, whose explanations and budgets stay, and their picture beside it. */
export async function writeDocument(report: Report): Promise<void> {
  const document = `${checkout}/docs/benchmarks.md`;
  await writeFile(document, withResults(await readFile(document, 'utf8'), reportAsMarkdown(report)));
  await promisify(execFile)(`${checkout}/node_modules/.bin/biome`, ['format', '--write', document]);
  await writeFile(`${checkout}/docs/benchmarks.svg`, reportAsSvg(report));
}
