import process from 'node:process';
import { allPrograms, buildPrograms } from './index.ts';

// Builds the files of all programs, or of those whose sources are named: `main.ts services/orders/src/main.ts`.
const named = process.argv.slice(2);
await buildPrograms(named.length > 0 ? named : allPrograms());
