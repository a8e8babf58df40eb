import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Bundle, bundlePrograms } from './bundle-programs.ts';
import { allPrograms, checkout } from './programs.ts';

// In an image the file of a program runs without sources and libraries. Everything else it needs is listed here, and copied by the
// Dockerfile.

const serviceReads = (name: string) => [
  [`services/${name}/src/service.ts`, [`services/${name}/migrations`]],
  [`services/${name}/src/migrate.ts`, [`services/${name}/migrations`]],
];

const reads: Readonly<Record<string, readonly string[]>> = {
  'packages/chassis/src/database/migrate.ts': ['packages/chassis/migrations'],
  'packages/chassis/src/database/missing-migrations.ts': ['packages/chassis/migrations'],
  'packages/cli/src/options.ts': ['package.json'],
  'packages/compatibility/src/released.ts': ['packages/compatibility/released'],
  'packages/contracts/specs/examples.ts': ['packages/contracts/specs/examples.json'],
  'packages/sandbox/src/demo/demo-directory.ts': ['packages/sandbox/src/demo/demo-directory.json'],
  'services/console/src/console.ts': ['services/console/package.json'],
  'services/console/src/pages/add-pages.ts': ['services/console/dist'],
  'services/gateway/src/gateway.ts': ['services/gateway/package.json'],
  'services/gateway/src/migrate.ts': ['services/gateway/migrations'],
  'services/gateway/src/reference/add-reference.ts': ['packages/contracts/specs/openapi.json'],
  'services/gateway/src/reference/assets.ts': ['services/gateway/pages'],
  'services/gateway/src/reference/pages/guide-pages.ts': ['services/gateway/pages/guide'],
  'services/orders/src/reports/adapters.ts': ['services/orders/node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf'],
  'services/notifications/src/wallet/adapters/apple-wallet.ts': ['services/notifications/src/wallet/adapters/images'],
  ...Object.fromEntries(['orders', 'loyalty', 'queue', 'notifications', 'directory'].flatMap(serviceReads)),
};

/**
 * Sources that read nothing in an image: the files they look for belong to commands in a checkout, such as `corner start` and `npm run
 * release`.
 */
const inCheckoutsOnly: readonly string[] = [
  'packages/compatibility/src/migrations.ts',
  'packages/platform/src/migrate-part.ts',
  'packages/programs/src/programs.ts',
  'packages/sandbox/src/demo/demo-pictures.ts',
  'packages/sandbox/src/servers/find-nats-server.ts',
  'packages/sandbox/src/servers/postgres-programs.ts',
  'packages/sandbox/src/system/topology.ts',
];

const imports: readonly string[] = [
  '../../../packages/client/pack/pack-client.ts',
  '../../../packages/console-pages/build/build-pages.ts',
  '../../../packages/programs/src/bundle-programs.ts',
  '../../../packages/shop-pages/build/build-pages.ts',
  'pg-native',
];

/** Libraries that name their own folder, by the file that does, with the reason why a program does not need it. */
const libraries: Readonly<Record<string, string>> = {
  'commander/lib/command.js': 'in comments alone',
  'jiti/dist/jiti.cjs': 'for migrations in TypeScript: ours are SQL',
  'jiti/lib/jiti.mjs': 'the same',
  'node-pg-migrate/dist/bundle/index.js': 'the template of a new migration, which no program writes',
  'pdfkit/js/pdfkit.node.mjs': 'fonts and a profile of colours of its own, which a paper does not use',
  'pino/lib/transport.js': 'a thread that writes the log: programs write it themselves',
  'thread-stream/index.js': 'the same',
  'undici/index.js': 'for stack traces, and only where there is such a name',
};

let bundles: readonly Bundle[];
beforeAll(async () => {
  bundles = await bundlePrograms(allPrograms(), { checkout });
});

const fromLibrary = (path: string) => path.includes('node_modules/');
const libraryFile = (path: string) => path.split('node_modules/').at(-1) ?? '';
const textOf = (path: string) => readFileSync(join(checkout, path), 'utf8');
const inputsOf = (some: readonly Bundle[]) => [...new Set(some.flatMap(({ inputs }) => inputs))].sort();

const readersIn = (some: readonly Bundle[]) =>
  inputsOf(some).filter((path) => !fromLibrary(path) && /\bimport\.meta\.(dirname|filename|url|resolve)\b/.test(textOf(path)));
const unlisted = (some: readonly Bundle[]) =>
  readersIn(some)
    .filter((path) => !(path in reads) && !inCheckoutsOnly.includes(path))
    .map((path) => `${path} looks for a file where it is: write into this test what it reads, and let the Dockerfile copy that`);

describe('what a program reads beside its file', () => {
  test('every source that looks for files is listed with what it reads, and that exists', () => {
    expect(unlisted(bundles)).toEqual([]);
    const readers = readersIn(bundles);
    expect([...Object.keys(reads), ...inCheckoutsOnly].filter((path) => !readers.includes(path))).toEqual([]);
    const later = ['packages/compatibility/released', 'services/console/dist'];
    const gone = Object.values(reads).flat();
    expect(gone.filter((path) => !later.includes(path) && !existsSync(join(checkout, path)))).toEqual([]);
  });

  test('a bundle knows where a file is by the folder or the address of its source, and by nothing else', () => {
    const others = readersIn(bundles).filter((path) => /\bimport\.meta\.(filename|resolve)\b/.test(textOf(path)));
    expect(others).toEqual([]);
  });

  // The migrations of a whole system run in a checkout, by npm start.
  test.each([...new Set(allPrograms().map(imageOf))].filter((name) => name !== 'platform'))(
    'the image of %s holds all that its programs read, and nothing that none reads',
    (name) => {
      const held = heldBy(name);
      const programs = bundles.filter(({ source }) => imageOf(source) === name);
      const wanted = readersIn(programs).flatMap((path) => (reads[path] ?? []).map((file) => ({ path, file })));
      const lacks = wanted.filter(({ file }) => !held.some((one) => file === one || file.startsWith(`${one}/`)));
      expect(lacks.map(({ path, file }) => `the image of ${name} lacks ${file}, which ${path} reads`)).toEqual([]);
      const always = [`${folderOf(name)}/dist`, `${folderOf(name)}/package.json`];
      expect(held.filter((one) => !always.includes(one) && !wanted.some(({ file }) => file === one))).toEqual([]);
    },
  );

  test('the storefront, a program of the console, has an image of its own name too, with the same files', () => {
    expect(heldBy('storefront')).toEqual(heldBy('console'));
    const [, program] = /SERVICE}" != storefront \|\| cp (\S+)/.exec(textOf('Dockerfile')) ?? [];
    expect(allPrograms().map((source) => source.replace('/src/', '/dist/').replace(/\.ts$/, '.js'))).toContain(
      program?.replace('/image/', ''),
    );
  });

  test('every library that names its own folder is listed with the reason why that does no harm', () => {
    const found = inputsOf(bundles).filter(
      (path) => fromLibrary(path) && /\b__(dirname|filename)\b|\bimport\.meta\.(dirname|filename|url|resolve)\b/.test(textOf(path)),
    );
    expect([...new Set(found.map(libraryFile))].sort()).toEqual(Object.keys(libraries).sort());
  });
});

describe('what a program imports', () => {
  test('is part of Node, or a tool that only a checkout has', () => {
    const outside = bundles.flatMap((bundle) => bundle.outside).filter((path) => !isBuiltin(path));
    expect([...new Set(outside)].sort()).toEqual(imports);
  });

  test('comes from folders that go into the build of an image', () => {
    const own = inputsOf(bundles).filter((path) => !fromLibrary(path));
    expect(own.filter((path) => !/^(packages|services)\/[a-z-]+\/(src|specs)\//.test(path) || /\/testing\//.test(path))).toEqual([]);
  });
});

test('of the programs of the console, only the one that the image of a deployment lacks has the controls of the simulators', () => {
  const withControls = bundles.filter(({ inputs }) => inputs.some((path) => path.startsWith('services/console/src/sandbox/')));
  expect(withControls.map(({ source }) => source)).toEqual(['services/console/src/development.ts']);
});

describe('a new program', () => {
  const folder = `.corner/outside-${process.pid}`;
  const source = `${folder}/src/main.ts`;
  beforeAll(async () => {
    await mkdir(join(checkout, folder, 'src'), { recursive: true });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program.
    const text = "import { readFileSync } from 'node:fs';\nreadFileSync(`${import.meta.dirname}/greeting.txt`);\n";
    await writeFile(join(checkout, source), text);
  });
  afterAll(() => rm(join(checkout, folder), { recursive: true, force: true }));

  test('that reads a file without a line in this list is named', async () => {
    expect(unlisted(await bundlePrograms([source], { checkout }))).toEqual([expect.stringContaining(`${source} looks for a file`)]);
  });
});

function imageOf(source: string): string {
  return source.split('/')[1] ?? '';
}

function folderOf(name: string): string {
  return existsSync(join(checkout, 'services', name)) ? `services/${name}` : `packages/${name}`;
}

function heldBy(name: string): readonly string[] {
  const recipe = textOf('Dockerfile');
  const [, choice = ''] = /^ && (folder=[\s\S]+? esac) \\$/m.exec(recipe) ?? [];
  const [, copied = ''] = /^ && cp -r --parents (.+) \/image \\$/m.exec(recipe) ?? [];
  const script = `set -eu\n${choice}\necho ${copied}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { SERVICE: name } })
    .trim()
    .split(' ');
}
