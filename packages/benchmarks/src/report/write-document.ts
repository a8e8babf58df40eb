import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { checkout } from '@corner/sandbox/system';
import { type Report, reportAsJson } from './report.ts';
import { missedAsMarkdown, reportAsMarkdown, withResults } from './report-as-markdown.ts';
import { reportAsSvg } from './report-as-svg.ts';

export async function writeDocument(report: Report): Promise<void> {
  await writeResults('goals', missedAsMarkdown(report));
  await writeFile(`${checkout}/docs/benchmarks.svg`, reportAsSvg(report));
  await writeArtefact('benchmarks.md', `${reportAsMarkdown(report)}\n`);
  await writeArtefact('benchmarks.json', reportAsJson(report));
}

export const resultsPath = `${checkout}/docs/measurements.md`;

export async function writeResults(name: 'goals' | 'faults', results: string): Promise<void> {
  await writeFile(resultsPath, withResults(await readFile(resultsPath, 'utf8'), name, results));
  await promisify(execFile)(process.execPath, [`${checkout}/tools/markdown/check.ts`, '--write']);
}

export async function writeArtefact(name: string, text: string): Promise<void> {
  await mkdir(`${checkout}/.corner`, { recursive: true });
  await writeFile(`${checkout}/.corner/${name}`, text);
}
