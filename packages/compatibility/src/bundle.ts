import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ServiceName } from '@corner/contracts';
import { build, type Plugin } from 'esbuild';
import { type Artefact, programOf } from './artefact.ts';
import { checkout } from './migrations.ts';

/** Returns a service of this checkout as the artefact of a release: one program with the libraries that it runs on, and the files that it reads. */
export async function bundleService(service: ServiceName): Promise<Artefact> {
  const program = programOf(service);
  const folders = new Set<string>();
  const { outputFiles } = await build({
    entryPoints: [join(checkout, `services/${service}/src/main.ts`)],
    bundle: true,
    write: false,
    outfile: join(checkout, program),
    platform: 'node',
    format: 'esm',
    minify: true,
    // Code distinguishes errors by the names of their classes.
    keepNames: true,
    legalComments: 'none',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [ownFolders(dirname(program), folders), withoutTables],
  });
  const files = globSync(
    [`services/${service}/{package.json,migrations/*.sql,src/**/*.png}`, 'packages/chassis/{package.json,migrations/*.sql}'],
    { cwd: checkout },
  );
  return Object.fromEntries([
    [program, Buffer.from(outputFiles[0]?.contents ?? []).toString('latin1')],
    // A path such as `src/database/../../migrations` ends nowhere unless each of its folders is there.
    ...[...folders].sort().map((folder) => [`${folder}/.folder`, '']),
    ...files.sort().map((file) => [file, readFileSync(join(checkout, file)).toString('latin1')]),
  ]);
}

/** The artefact has the folders of the checkout, and its one program looks for a module's files where the module was. */
const ownFolders = (folder: string, used: Set<string>): Plugin => ({
  name: 'own-folders',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('/node_modules/')) return null;
      const to = relative(join(checkout, folder), path);
      const source = readFileSync(path, 'utf8');
      if (source.includes('import.meta.dirname')) used.add(relative(checkout, dirname(path)));
      const contents = source
        .replaceAll('import.meta.dirname', () => `(import.meta.dirname + '/${dirname(to)}')`)
        .replaceAll('import.meta.url', () => `new URL('${to}', import.meta.url).href`);
      return { contents, loader: 'ts' };
    });
  },
});

/** Half of an artefact would be tables of encodings that no request to a service uses: each is UTF-8. */
const withoutTables: Plugin = {
  name: 'without-tables',
  setup: ({ onLoad }) => {
    onLoad({ filter: /iconv-lite\/encodings\/tables\/.*\.json$/ }, () => ({ contents: '[]', loader: 'json' }));
  },
};
