import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { checkout } from '@corner/sandbox/system';
import { type Report, reportAsJson } from './report.ts';
import { goalsAsMarkdown, reportAsMarkdown, withResults } from './report-as-markdown.ts';
import { reportAsSvg } from './report-as-svg.ts';

/** Writes the goals into docs/benchmarks.md, their picture beside it, and every figure into .corner/benchmarks.md and .json. */
export async function writeDocument(report: Report): Promise<void> {
  await writeResults('docs/benchmarks.md', goalsAsMarkdown(report));
  await writeFile(`${checkout}/docs/benchmarks.svg`, reportAsSvg(report));
  await writeArtefact('benchmarks.md', `${reportAsMarkdown(report)}\n`);
  await writeArtefact('benchmarks.json', reportAsJson(report));
}

/** Replaces the results in a document of this checkout, and formats it. */
export async function writeResults(path: string, results: string): Promise<void> {
  const document = `${checkout}/${path}`;
  await writeFile(document, withResults(await readFile(document, 'utf8'), results));
  await promisify(execFile)(process.execPath, [`${checkout}/tools/markdown/check.ts`, '--write']);
}

/** Writes a file that git ignores. */
export async function writeArtefact(name: string, text: string): Promise<void> {
  await mkdir(`${checkout}/.corner`, { recursive: true });
  await writeFile(`${checkout}/.corner/${name}`, text);
}
