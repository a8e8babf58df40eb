import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { type Document, indexHtml, type Names } from './document.ts';

export interface Content {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface BundleOptions extends Document {
  /**
   * Paths of sources are relative to `web`, the folder of `main.tsx`. `firstPage` are sources that the first page loads lazily. The file of
   * `shared` holds everything that it imports; when absent, shared code is in many small files.
   */
  readonly web: string;
  readonly jsxImportSource: 'react' | 'preact';
  readonly firstPage: readonly string[];
  readonly shared?: string;
}

export interface Bundle {
  readonly contents: readonly Content[];
  /**
   * `first` are the files that a browser loads before it shows the first page. `lazy` has, for each source that is imported lazily, its own
   * file and then the files that it imports, without those of the main source. `sources` are absolute paths of everything that was bundled.
   */
  readonly first: readonly string[];
  readonly lazy: Readonly<Record<string, readonly string[]>>;
  readonly sources: readonly string[];
}

/**
 * Bundles the pages. Each page that is imported lazily is a file of its own, and shared code is in common files. Names hold the hash of the
 * content, except that of the service worker.
 */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  const { web, firstPage } = options;
  const theme = existsSync(join(web, 'theme.ts'));
  const { outputFiles, metafile } = await build({
    ...common(options),
    plugins: options.shared === undefined ? [] : [inOneFile(join(web, options.shared))],
    entryPoints: { main: `${web}/main.tsx`, ...(theme ? { theme: `${web}/theme.ts` } : {}) },
    outdir: `${web}/built`,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    loader: { '.svg': 'file', '.woff2': 'file' },
    splitting: true,
    format: 'esm',
  });
  const assets = outputFiles.map(({ path, contents: bytes }) => ({ path: nameOf(relative(`${web}/built`, path)), bytes }));
  const names = entryNames(metafile, theme, firstPage);
  const index = { path: 'index.html', bytes: new TextEncoder().encode(indexHtml(names, options)) };
  const worker = await bundleWorker(options, [index, ...assets]);
  return {
    contents: [...assets, index, ...worker.contents],
    first: ['index.html', ...new Set([names.theme ?? [], names.style ?? [], names.scripts, names.firstPage].flat())],
    lazy: lazyFiles(metafile, names.scripts),
    sources: [...sourcesOf(metafile, web), ...worker.sources],
  };
}

/**
 * Makes each page that is imported lazily import `shared`: esbuild makes one file of the code that the same entries need, so all of it is
 * in one. On a slow network each file of the first page costs a round trip, once the browser's six connections are in use.
 */
function inOneFile(shared: string): Plugin {
  const lazy = new Set<string>();
  return {
    name: 'in-one-file',
    setup(build) {
      build.onResolve({ filter: /\.tsx$/ }, ({ kind, path, resolveDir }) => {
        if (kind === 'dynamic-import') lazy.add(join(resolveDir, path));
        return undefined;
      });
      build.onLoad({ filter: /\.tsx$/ }, async ({ path }) =>
        lazy.has(path) ? { contents: `${await readFile(path, 'utf8')}\nimport ${JSON.stringify(shared)};`, loader: 'tsx' } : undefined,
      );
    },
  };
}

/** Bundles the service worker, if there is one. Its constant names all files, so a change of any of them changes the script. */
async function bundleWorker(options: BundleOptions, kept: readonly Content[]): Promise<Pick<Bundle, 'contents' | 'sources'>> {
  const { web } = options;
  if (!existsSync(join(web, 'sw.ts'))) return { contents: [], sources: [] };
  const version = createHash('sha256');
  for (const { path, bytes } of kept) version.update(`${path}\n`).update(bytes);
  const files = kept.map(({ path }) => (path === 'index.html' ? '/' : `/${path}`));
  const { outputFiles, metafile } = await build({
    ...common(options, { BUILT: JSON.stringify({ version: version.digest('hex').slice(0, 16), files }) }),
    entryPoints: { sw: `${web}/sw.ts` },
    outdir: `${web}/built`,
    format: 'iife',
  });
  return { contents: outputFiles.map(({ contents: bytes }) => ({ path: 'sw.js', bytes })), sources: sourcesOf(metafile, web) };
}

/** The options of both bundles, for browsers of the last three years. */
const common = ({ web, jsxImportSource }: BundleOptions, define: Readonly<Record<string, string>> = {}) =>
  ({
    absWorkingDir: web,
    bundle: true,
    target: ['chrome123', 'firefox125', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource,
    minify: true,
    metafile: true,
    write: false,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"', ...define },
    logLevel: 'silent',
  }) satisfies BuildOptions;

const sourcesOf = ({ inputs }: Metafile, web: string): readonly string[] => Object.keys(inputs).map((path) => join(web, path));

const nameOf = (path: string): string =>
  path
    .split(sep)
    .join('/')
    .replace(/^built\//, '');

function entryNames({ outputs }: Metafile, theme: boolean, firstPage: readonly string[]): Names {
  const outputOf = (entry: string): string => {
    const found = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entry && path.endsWith('.js'));
    if (found === undefined) throw new Error(`esbuild made no file of ${entry}`);
    return found;
  };
  const main = outputOf('main.tsx');
  const style = outputs[main]?.cssBundle;
  return {
    theme: theme ? nameOf(outputOf('theme.ts')) : null,
    style: style === undefined ? null : nameOf(style),
    scripts: [...importsOf(main, outputs)].map(nameOf),
    firstPage: firstPage.flatMap((entry) => [...importsOf(outputOf(entry), outputs)]).map(nameOf),
  };
}

const lazyFiles = ({ outputs }: Metafile, known: readonly string[]): Bundle['lazy'] =>
  Object.fromEntries(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint === undefined || !path.endsWith('.js') || known.includes(nameOf(path))
        ? []
        : [[entryPoint, [...importsOf(path, outputs)].map(nameOf).filter((file) => !known.includes(file))]],
    ),
  );

function importsOf(path: string, outputs: Metafile['outputs'], found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === 'import-statement') importsOf(next, outputs, found);
  return found;
}
