import { existsSync, globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, test } from '@jest/globals';

const checkout = `${import.meta.dirname}/..`;
const read = (path: string) => readFileSync(`${checkout}/${path}`, 'utf8');

/** Whether a file goes into the build of an image: the last line of .dockerignore that matches it, or a folder above it, decides. */
function goesIn(path: string): boolean {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const folders = path.split('/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/'));
  const last = lines.findLast((line) => folders.some((folder) => matchesGlob(folder, line.replace(/^!/, ''))));
  return last?.startsWith('!') ?? true;
}

test('the build of the image of the console gets everything that its pages and those of a shop are made of, and no test', () => {
  const programs = [...read('Dockerfile').matchAll(/node (packages\/\S+\.ts)/g)].map(([, program]) => program);
  expect(programs).toEqual(['packages/console-pages/build/main.ts', 'packages/shop-pages/build/main.ts']);
  expect(programs.filter((program) => !existsSync(`${checkout}/${program}`))).toEqual([]);
  const folders = ['packages/{console,shop}-pages/{web,build}/**/*.*', 'packages/{build-pages,client}/src/**/*.ts'];
  const sources = globSync(folders, { cwd: checkout }).filter((path) => !path.includes('/testing/') && !path.endsWith('/openapi.ts'));
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.filter((path) => goesIn(path) === path.endsWith('.test.ts'))).toEqual([]);
  expect(['package.json', 'services/console/src/main.ts', 'packages/console-api/src/index.ts'].filter((path) => !goesIn(path))).toEqual([]);
  // Pages that were built here before are not those of the image, which are built from the locked libraries.
  expect(['services/console/dist/shop/index.html', 'node_modules/zod/index.js', 'deploy/trial-secrets/nfc-keys'].filter(goesIn)).toEqual(
    [],
  );
});
