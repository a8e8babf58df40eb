import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * Writes the package that app developers install into a folder: JavaScript and its types, a package.json and the README. It has no
 * dependencies. The workspace itself imports the source, so nothing here needs this build. Throws when the source does not compile without
 * Node's types: the client must run in a browser too.
 */
export function buildClient(folder: string): void {
  const options: ts.CompilerOptions = {
    rootDir: at('src'),
    outDir: `${folder}/lib`,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
    declaration: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    rewriteRelativeImportExtensions: true,
    noEmitOnError: true,
  };
  const program = ts.createProgram([at('src/index.ts')], options);
  const problems = [...ts.getPreEmitDiagnostics(program), ...program.emit(undefined, writeWithJsNames).diagnostics];
  if (problems.length > 0) {
    const host = { getCanonicalFileName: (name: string) => name, getCurrentDirectory: () => at(''), getNewLine: () => '\n' };
    throw new Error(`The client was not built.\n${ts.formatDiagnostics(problems, host)}`);
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest(), null, 2)}\n`);
  cpSync(at('README.md'), `${folder}/README.md`);
}

/** Declarations import sources by their .ts names; every tool knows the names of the JavaScript. */
const writeWithJsNames: ts.WriteFileCallback = (file, text) =>
  ts.sys.writeFile(file, text.replace(/(['"]\.\/[\w-]+)\.ts(['"])/g, '$1.js$2'));

function manifest() {
  const { name, version, description, type } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as Record<string, string>;
  const entry = { types: './lib/index.d.ts', default: './lib/index.js' };
  return {
    name,
    version,
    description,
    type,
    exports: { '.': entry, './package.json': './package.json' },
    main: entry.default,
    types: entry.types,
    files: ['lib'],
    sideEffects: false,
    engines: { node: '>=20' },
  };
}
