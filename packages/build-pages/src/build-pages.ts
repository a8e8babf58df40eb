import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type BundleOptions, bundle, type Content } from './bundle.ts';
import { type BuiltFile, compress } from './compress.ts';

/**
 * The content of `manifest.json`. `inputs` is the hash of the options, the build and `sources`, whose paths are relative to the package's
 * folder. `first` and `lazy` are as in a bundle.
 */
export interface Manifest {
  readonly inputs: string;
  readonly sources: readonly string[];
  readonly files: readonly BuiltFile[];
  readonly first: readonly string[];
  readonly lazy: Readonly<Record<string, readonly string[]>>;
}

export interface PagesOptions extends Omit<BundleOptions, 'web'> {
  readonly root: string;
}

/**
 * Builds pages into `outDir`, unless it already has those of the same sources. Another process that reads the folder sees either the old
 * pages or the new ones.
 */
export async function buildPages(options: PagesOptions, outDir: string): Promise<Manifest> {
  const built = await readManifest(outDir);
  if (built && built.inputs === (await hashOf(built.sources, options))) return built;
  const fresh = `${resolve(outDir)}.${process.pid}.new`;
  await rm(fresh, { recursive: true, force: true });
  const web = join(options.root, 'web');
  const { contents, first, lazy, sources } = await bundle({ ...options, web });
  const statics = await readStatics(join(web, 'static'));
  const files = await Promise.all([...contents, ...statics].map((content) => compress(fresh, content)));
  const named = sources.map((path) => relative(options.root, path));
  const manifest = { inputs: await hashOf(named, options), sources: named, files, first, lazy } satisfies Manifest;
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

async function replaceFolder(fresh: string, outDir: string): Promise<void> {
  await mkdir(dirname(outDir), { recursive: true });
  // Another process may be moving the same pages there at this moment; the later one wins.
  await rm(outDir, { recursive: true, force: true, maxRetries: 5 });
  await rename(fresh, outDir).catch(async () => await rm(fresh, { recursive: true, force: true }));
}

async function found(pattern: string, cwd: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd })) paths.push(path);
  return paths;
}

async function readStatics(folder: string): Promise<Content[]> {
  const paths = await found('**/*.*', folder);
  return await Promise.all(paths.sort().map(async (path) => ({ path, bytes: await readFile(join(folder, path)) })));
}

/**
 * Returns the hash of the options, of this build, and of all sources: those that were bundled, of libraries too, and those that the build
 * finds by name. A bundled file that no longer exists changes the hash.
 */
async function hashOf(bundled: readonly string[], { root, ...options }: PagesOptions): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(options));
  const named = await found('web/{theme.ts,sw.ts,static/**/*.*}', root);
  const own = await found('*.ts', import.meta.dirname);
  const paths = [...own.map((path) => join(import.meta.dirname, path)), ...[...bundled, ...named].map((path) => join(root, path))];
  for (const path of [...new Set(paths)].sort()) {
    hash.update(`${relative(root, path)}\n`);
    if (existsSync(path)) hash.update(await readFile(path));
  }
  return hash.digest('hex');
}
