import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { bundle } from './bundle.ts';
import { type BuiltFile, compress } from './compress.ts';

/** The content of `manifest.json`. */
export interface Manifest {
  /** The hash of everything that the pages are made of. */
  readonly inputs: string;
  /** `index.html` among them. */
  readonly files: readonly BuiltFile[];
  /** The files that a browser loads before it shows the first page of an operator. */
  readonly first: readonly string[];
}

const root = resolve(import.meta.dirname, '..');
/** Where services/console serves them from. */
const served = resolve(root, '../../services/console/dist');

/**
 * Builds the pages into `outDir`, which is that of the server when absent, unless they are there already, made of the same sources. Another process that reads the folder sees either the
 * old pages or the new ones.
 */
export async function buildPages({ outDir = served }: { readonly outDir?: string } = {}): Promise<Manifest> {
  const inputs = await hashOfInputs();
  const built = await readManifest(outDir);
  if (built?.inputs === inputs) return built;
  const fresh = `${resolve(outDir)}.${process.pid}.new`;
  await rm(fresh, { recursive: true, force: true });
  const { contents, first } = await bundle(`${root}/web`);
  const files = await Promise.all(contents.map((content) => compress(fresh, content)));
  const manifest = { inputs, files, first } satisfies Manifest;
  await writeFile(join(fresh, 'manifest.json'), JSON.stringify(manifest));
  await replaceFolder(fresh, resolve(outDir));
  return manifest;
}

async function readManifest(outDir: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(join(outDir, 'manifest.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** Two processes that build at once make the same pages; the later one wins. */
async function replaceFolder(fresh: string, outDir: string): Promise<void> {
  await mkdir(dirname(outDir), { recursive: true });
  await rm(outDir, { recursive: true, force: true });
  await rename(fresh, outDir).catch(async () => await rm(fresh, { recursive: true, force: true }));
}

/** The sources of the pages and of this build, and the versions of the libraries. */
async function hashOfInputs(): Promise<string> {
  const hash = createHash('sha256');
  const paths: string[] = [];
  for await (const path of glob(['web/**/*.*', 'build/*.ts', 'package.json'], { cwd: root })) paths.push(path);
  paths.sort();
  for (const path of paths) hash.update(`${path}\n`).update(await readFile(join(root, path)));
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly dependencies: object };
  const { resolve: find } = createRequire(import.meta.url);
  for (const name of Object.keys(dependencies)) hash.update(`${name} ${await versionOf(name, find)}\n`);
  return hash.digest('hex');
}

/** The version of a library, or its source when it is of this workspace. */
async function versionOf(name: string, find: (path: string) => string): Promise<string> {
  if (name === '@corner/contracts')
    return (await Promise.all(['currencies', 'store-fields'].map((part) => readFile(find(`${name}/${part}`), 'utf8')))).join();
  const folder = join(root, 'node_modules', name);
  return (JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { readonly version: string }).version;
}
