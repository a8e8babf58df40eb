import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { type Document, indexHtml, type Names } from './document.ts';

/** A file before it is written: its path in the folder of the pages, and its bytes. */
export interface Content {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface BundleOptions extends Document {
  /** The folder of `main.tsx`. */
  readonly web: string;
  /** The library whose elements the JSX of the pages makes. */
  readonly jsxImportSource: 'react' | 'preact';
  /** Sources that the first page loads lazily, relative to `web`. */
  readonly firstPage: readonly string[];
  /** A source whose file holds everything that it imports, relative to `web`. Absent: what several pages share is in many small files. */
  readonly shared?: string;
}

export interface Bundle {
  readonly contents: readonly Content[];
  /** The files that a browser loads before it shows the first page. */
  readonly first: readonly string[];
  /** By source that is imported lazily, relative to `web`: its own file, then the files that it imports. Without what the main source loads. */
  readonly lazy: Readonly<Record<string, readonly string[]>>;
  /** Absolute paths of everything that was bundled. */
  readonly sources: readonly string[];
}

/**
 * Bundles the pages. Each page that is imported lazily is a file of its own, and what several pages share is in common files. Names hold the
 * hash of the content, but for that of the service worker.
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
 * Lets each page that is imported lazily import `shared`: esbuild makes a file of what the same entries need, so that all of it is in one. On a slow
 * network each file of the first page costs a round trip, once the browser has its six connections in use.
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

/** Bundles the service worker, if there is one. Its constant names all files, so it is another script once one of them is. */
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

/** The files of each source that has an entry of its own but for the main one, without those that the main one loads. */
const lazyFiles = ({ outputs }: Metafile, known: readonly string[]): Bundle['lazy'] =>
  Object.fromEntries(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint === undefined || !path.endsWith('.js') || known.includes(nameOf(path))
        ? []
        : [[entryPoint, [...importsOf(path, outputs)].map(nameOf).filter((file) => !known.includes(file))]],
    ),
  );

/** A file and the files that it imports at once, each of them once. */
function importsOf(path: string, outputs: Metafile['outputs'], found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === 'import-statement') importsOf(next, outputs, found);
  return found;
}
