import { writeFileSync } from 'node:fs';
import { namesFile, namesText, writeTypes } from './types.ts';

await writeTypes();
// Installing the packages only needs the types (package.json, `prepare`).
if (!process.argv.includes('--types')) writeFileSync(namesFile, namesText());
