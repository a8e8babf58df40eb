import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { checkout } from '@corner/sandbox';
import type { Report } from './report.ts';
import { reportAsMarkdown, withResults } from './report-as-markdown.ts';
import { reportAsSvg } from './report-as-svg.ts';

/** Writes the results into docs/benchmarks.md, whose explanations and budgets stay, and their picture beside it. */
export async function writeDocument(report: Report): Promise<void> {
  await writeResults('docs/benchmarks.md', reportAsMarkdown(report));
  await writeFile(`${checkout}/docs/benchmarks.svg`, reportAsSvg(report));
}

/** Replaces the results in a document of this checkout, and formats it and the others. */
export async function writeResults(path: string, results: string): Promise<void> {
  const document = `${checkout}/${path}`;
  await writeFile(document, withResults(await readFile(document, 'utf8'), results));
  await promisify(execFile)(process.execPath, [`${checkout}/tools/markdown/check.ts`, '--write']);
}
