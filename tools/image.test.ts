import { existsSync, globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';

const checkout = `${import.meta.dirname}/..`;
const read = (path: string) => readFileSync(`${checkout}/${path}`, 'utf8');

/** The last line of .dockerignore that matches a file, or a folder above it, decides. */
function goesIn(path: string): boolean {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const folders = path.split('/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/'));
  const last = lines.findLast((line) => folders.some((folder) => matchesGlob(folder, line.replace(/^!/, ''))));
  return last?.startsWith('!') ?? true;
}

const sourcesIn = (...folders: readonly string[]) =>
  globSync(folders, { cwd: checkout }).filter((path) => !path.includes('/testing/') && !path.includes('node_modules/'));

test('the build of an image gets everything that programs and pages are made of, and no test', () => {
  const builds = [...read('Dockerfile').matchAll(/node (packages\/\S+\.ts)/g)].map(([, program]) => program ?? '');
  expect(builds).toEqual(['packages/programs/src/main.ts', 'packages/console-pages/build/main.ts', 'packages/shop-pages/build/main.ts']);
  expect(builds.filter((program) => !existsSync(`${checkout}/${program}`))).toEqual([]);
  const sources = sourcesIn(
    '{packages,services}/*/src/**/*.{ts,json,png}',
    'packages/contracts/specs/*',
    'packages/{console,shop}-pages/{web,build}/**/*.*',
    'packages/client/pack/*.ts',
  );
  expect(sources.length).toBeGreaterThan(1000);
  expect(sources.filter((path) => goesIn(path) === path.endsWith('.test.ts'))).toEqual([]);
  const settings = [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'tsconfig.json',
    ...sourcesIn('{packages,services}/*/package.json'),
  ];
  const others = [
    ...sourcesIn('{packages,services}/*/migrations/*.sql', 'services/gateway/pages/**/*.*'),
    'packages/compatibility/released/orders/1.0.0.json',
  ];
  expect([...settings, ...others].filter((path) => !goesIn(path))).toEqual([]);
  const builtHere = ['services/console/dist/shop/index.html', 'services/orders/dist/main.js', 'packages/cli/dist/main.js.map'];
  expect([...builtHere, 'node_modules/zod/index.js', 'deploy/trial-secrets/nfc-keys'].filter(goesIn)).toEqual([]);
});

test('the final stage takes from the build what was put together for it, and installs nothing', () => {
  const [, final = ''] = read('Dockerfile').split(/^FROM \$\{NODE_IMAGE\}$/m);
  expect(final.match(/^(COPY|ADD) .*/gm)).toEqual(['COPY --from=build /image /app']);
  expect(final).not.toMatch(/npm|node_modules/);
  expect(final).toMatch(/^ENV NODE_OPTIONS=".*--enable-source-maps"/m);
  expect(final).toMatch(/^CMD \["node", "dist\/main\.js"\]$/m);
});

test('every command of compose and of the manifests names the file of a program of its image', () => {
  const files = globSync(['docker-compose.yml', 'deploy/*.yml', 'deploy/kubernetes/**/*.yaml'], { cwd: checkout });
  const commands = files.flatMap((file) =>
    parseAllDocuments(read(file), { merge: true, logLevel: 'silent' }).flatMap((document) => commandsIn(document.toJS())),
  );
  expect(commands.length).toBeGreaterThan(20);
  expect(commands).toEqual(expect.arrayContaining(['corner/orders dist/migrate.js', 'corner/sandbox dist/issuer-main.js']));
  expect(commands.filter((command) => !isProgram(command))).toEqual([]);
  expect(['corner/orders src/main.ts', 'corner/orders dist/storefront.js', 'corner/cli dist/issuer-main.js'].filter(isProgram)).toEqual([]);
});

function isProgram(command: string): boolean {
  const [, image, name = ''] = /^corner\/(\w+) dist\/([\w-]+)\.js$/.exec(command) ?? [];
  return globSync(`{services,packages}/${image}/src/${name.replace('-', '/')}.ts`, { cwd: checkout }).length === 1;
}

function commandsIn(value: unknown, name = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { image = `corner/${name}`, entrypoint, command } = value as Readonly<Record<string, unknown>>;
  const own = [entrypoint, command].filter((words) => Array.isArray(words) && words[0] === 'node') as string[][];
  const parts = Object.entries(value).filter(([key]) => !key.startsWith('x-'));
  return [...own.map(([, file]) => `${image} ${file}`), ...parts.flatMap(([key, part]) => commandsIn(part, key))];
}
