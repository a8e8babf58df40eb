import { relative, sep } from 'node:path';
import { build, type Metafile } from 'esbuild';

/** A file before it is written: its path in the folder of the pages, and its bytes. */
export interface Content {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Browsers of the last three years. */
const target = ['chrome123', 'firefox125', 'safari17.5'];

/**
 * Bundles the pages. Each page that `routes.tsx` imports lazily is a file of its own, and what several pages share is in common files. Names hold
 * the hash of the content.
 */
export async function bundle(web: string): Promise<{ readonly contents: readonly Content[]; readonly first: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: { main: `${web}/main.tsx`, theme: `${web}/theme.ts` },
    absWorkingDir: web,
    outdir: `${web}/built`,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    loader: { '.svg': 'file', '.woff2': 'file' },
    bundle: true,
    splitting: true,
    format: 'esm',
    target,
    jsx: 'automatic',
    minify: true,
    metafile: true,
    write: false,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  const contents = outputFiles.map(({ path, contents: bytes }) => ({ path: nameOf(relative(`${web}/built`, path)), bytes }));
  const names = entryNames(metafile);
  const index = new TextEncoder().encode(indexHtml(names));
  return {
    contents: [...contents, { path: 'index.html', bytes: index }],
    first: ['index.html', names.theme, names.style, ...new Set([...names.scripts, ...names.firstPage])],
  };
}

interface Names {
  readonly theme: string;
  readonly style: string;
  /** The main script first, then what it imports at once. */
  readonly scripts: readonly string[];
  /** Loaded in addition by the first page of an operator. */
  readonly firstPage: readonly string[];
}

const firstPage = ['pages/operator/overview-page.tsx', 'components/plot.tsx'];

const nameOf = (path: string): string =>
  path
    .split(sep)
    .join('/')
    .replace(/^built\//, '');

function entryNames({ outputs }: Metafile): Names {
  const outputOf = (entry: string): string => {
    const found = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entry && path.endsWith('.js'));
    if (found === undefined) throw new Error(`esbuild made no file of ${entry}`);
    return found;
  };
  const main = outputOf('main.tsx');
  return {
    theme: nameOf(outputOf('theme.ts')),
    style: nameOf(outputs[main]?.cssBundle ?? ''),
    scripts: [...importsOf(main, outputs)].map(nameOf),
    firstPage: firstPage.flatMap((entry) => [...importsOf(outputOf(entry), outputs)]).map(nameOf),
  };
}

/** A file and the files that it imports at once, each of them once. */
function importsOf(path: string, outputs: Metafile['outputs'], found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === 'import-statement') importsOf(next, outputs, found);
  return found;
}

/** The one document of the pages. It has no inline script and no inline style, so that the policy of the server can refuse both. */
const indexHtml = ({ theme, style, scripts }: Names): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Corner</title>
<link rel="icon" href="data:,">
<script src="/${theme}"></script>
<link rel="stylesheet" href="/${style}">
${scripts
  .slice(1)
  .map((path) => `<link rel="modulepreload" href="/${path}">\n`)
  .join('')}<script type="module" src="/${scripts[0]}"></script>
</head>
<body><div id="root"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;
