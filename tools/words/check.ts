import { readDocuments, readFiles } from '../walls/read-files.ts';
import { findRetired } from './find-retired.ts';

const found = findRetired(new Map([...readFiles(), ...readDocuments()]));
for (const line of found) process.stderr.write(`${line}\n`);
if (found.length > 0) process.exitCode = 1;
