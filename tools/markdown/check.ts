import { writeFileSync } from 'node:fs';
import type { Files } from '../walls/find-breaches.ts';
import { checkout, readDocuments } from '../walls/read-files.ts';
import { formatMarkdown, width } from './format-markdown.ts';

export const unformatted = (documents: Files): string[] =>
  [...documents].filter(([path, text]) => !path.endsWith('CHANGELOG.md') && formatMarkdown(text) !== text).map(([path]) => path);

export const wideTables = (documents: Files): string[] =>
  [...documents].flatMap(([path, text]) =>
    text
      .replaceAll(/```.*?```/gs, '')
      .split('\n')
      .filter((line) => line.startsWith('|') && line.split(/(?<!\\)\|/).some((cell) => cell.trim().length > width))
      .map((line) => `${path}: ${line.slice(0, 40)}`),
  );

if (process.argv[1] === import.meta.filename) {
  const documents = readDocuments();
  const say = (line: string) => {
    process.stderr.write(`${line}\n`);
    process.exitCode = 1;
  };
  for (const path of unformatted(documents)) {
    if (process.argv.includes('--write')) writeFileSync(`${checkout}/${path}`, formatMarkdown(documents.get(path) ?? ''));
    else say(`${path} is not formatted: npm run fix`);
  }
  for (const row of wideTables(documents)) say(`${row} … a cell has over ${width} characters: make the table a list`);
}
