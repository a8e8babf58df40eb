import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { buildPrograms } from './build-programs.ts';
import { checkout, fileOf } from './programs.ts';

// Runs a program in this process from its one file, which is built first if its sources have changed: `run.ts packages/cli/src/main.ts
// help`. With --from-source among the words it runs the sources themselves, for a debugger.
const [source = '', ...words] = process.argv.slice(2);
const fromSource = words.includes('--from-source');
if (!fromSource) await buildPrograms([source]);
const file = join(checkout, fromSource ? source : fileOf(source));
enableCompileCache(join(checkout, '.corner/cache/compiled'));
process.argv.splice(1, 2, file);
await import(pathToFileURL(file).href);
