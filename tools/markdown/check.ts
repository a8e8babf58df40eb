import { writeFileSync } from 'node:fs';
import type { Files } from '../walls/find-breaches.ts';
import { checkout, readDocuments } from '../walls/read-files.ts';
import { formatMarkdown } from './format-markdown.ts';

/** The documents that are not formatted. Changelogs are written by changesets. */
export const unformatted = (documents: Files): string[] =>
  [...documents].filter(([path, text]) => !path.endsWith('CHANGELOG.md') && formatMarkdown(text) !== text).map(([path]) => path);

// Names the documents that are not formatted; with --write, formats them.
if (process.argv[1] === import.meta.filename) {
  const documents = readDocuments();
  for (const path of unformatted(documents)) {
    if (process.argv.includes('--write')) writeFileSync(`${checkout}/${path}`, formatMarkdown(documents.get(path) ?? ''));
    else {
      process.stderr.write(`${path} is not formatted: npm run fix\n`);
      process.exitCode = 1;
    }
  }
}
