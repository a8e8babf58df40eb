import { findBreaches } from './find-breaches.ts';
import { readFiles } from './read-files.ts';

const breaches = findBreaches(readFiles());
for (const breach of breaches) process.stderr.write(`${breach}\n`);
if (breaches.length > 0) process.exitCode = 1;
