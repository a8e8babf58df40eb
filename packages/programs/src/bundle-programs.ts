import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { withNaturalNames } from './natural-names.ts';
import { ownLines } from './own-lines.ts';
import { fileOf } from './programs.ts';

export interface Bundle {
  readonly source: string;
  readonly code: Uint8Array;
  readonly map: Uint8Array;
  readonly inputs: readonly string[];
  readonly outside: readonly string[];
}

export interface BundleOptions {
  readonly checkout: string;
  readonly minify?: boolean;
}

/**
 * Bundles each program with all its imports into one file. Sources are relative to the checkout. The same sources give the same bytes,
 * wherever the checkout is. `minify` also shortens names, for files that are kept for long; profiles and heap snapshots then show no names.
 */
export async function bundlePrograms(sources: readonly string[], { checkout, minify = false }: BundleOptions): Promise<readonly Bundle[]> {
  const { outputFiles, metafile } = await build({
    ...common,
    absWorkingDir: checkout,
    entryPoints: sources.map((source) => ({ in: source, out: fileOf(source).replace(/\.js$/, '') })),
    outdir: checkout,
    minifyIdentifiers: minify,
    plugins: [filesStayWhereTheyAre(checkout), toolsStayOutside(checkout), withoutTables],
  });
  const contentOf = (path: string) => outputFiles.find((file) => file.path === join(checkout, path))?.contents ?? new Uint8Array();
  const codeOf = (path: string) => Buffer.from(withNaturalNames(Buffer.from(contentOf(path)).toString()));
  return sources.map((source) => {
    const file = fileOf(source);
    const { inputs = {}, imports = [] } = metafile.outputs[file] ?? {};
    const outside = imports
      .filter(({ external, path }) => external && !path.startsWith('node:') && path !== 'module')
      .map(({ path }) => path);
    return { source, code: codeOf(file), map: withOwnLines(contentOf(`${file}.map`)), inputs: Object.keys(inputs).sort(), outside };
  });
}

/** Node reads a map for the first stack trace, and keeps it: the whole one of a service takes 0.4 s and 40 to 70 MB. */
const withOwnLines = (map: Uint8Array): Uint8Array =>
  Buffer.from(JSON.stringify({ version: 3, ...ownLines(JSON.parse(Buffer.from(map).toString())), names: [] }));

const common = {
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'node26',
  minifyWhitespace: true,
  minifySyntax: true,
  // Code distinguishes errors by the names of their classes.
  keepNames: true,
  legalComments: 'none',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'silent',
  external: ['pg-native'],
  banner: { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" },
} as const satisfies BuildOptions;

/** Files are as deep in their packages as the sources of a program are: in `dist/`. */
const folderOfFiles = 'services/any/dist';

/** Makes a module look for its files (migrations, pictures, pages, templates) where its source is. */
const filesStayWhereTheyAre = (checkout: string): Plugin => ({
  name: 'files-stay-where-they-are',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (path.includes('/node_modules/') || !source.includes('import.meta.')) return null;
      const from = relative(join(checkout, folderOfFiles), path);
      const contents = source
        .replaceAll('import.meta.dirname', () => `pathFrom(import.meta.dirname, '${dirname(from)}')`)
        .replaceAll('import.meta.url', () => `new URL('${from}', import.meta.url).href`);
      return { contents: `import { join as pathFrom } from 'node:path'; ${contents}`, loader: 'ts' };
    });
  },
});

/** Sources that build something, with libraries that start programs of their own. They are loaded on demand, and no image has them. */
const tools = [
  'packages/client/pack/pack-client.ts',
  'packages/console-pages/build/build-pages.ts',
  'packages/programs/src/bundle-programs.ts',
  'packages/shop-pages/build/build-pages.ts',
];

const toolsStayOutside = (checkout: string): Plugin => ({
  name: 'tools-stay-outside',
  setup: ({ onResolve, resolve }) => {
    const resolving = Symbol('resolving');
    onResolve({ filter: /^[.@]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === resolving) return null;
      const found = relative(checkout, (await resolve(path, { kind, resolveDir, pluginData: resolving })).path);
      return tools.includes(found) ? { path: `${relative(folderOfFiles, '.')}/${found}`, external: true } : null;
    });
  },
});

/** A third of a service would be tables of encodings that no request uses: each is UTF-8. */
const withoutTables: Plugin = {
  name: 'without-tables',
  setup: ({ onLoad }) => {
    onLoad({ filter: /iconv-lite\/encodings\/tables\/.*\.json$/ }, () => ({ contents: '[]', loader: 'json' }));
  },
};
