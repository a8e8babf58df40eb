import { hash } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bundle } from './bundle-programs.ts';
import { cacheBeside, checkout, fileOf } from './programs.ts';

const current = new Set<string>();

/**
 * Builds each program into one file, unless the file is there and made of the same sources. Paths are relative to the checkout. A process
 * that starts a program meanwhile runs the old file or the new one.
 */
export async function buildPrograms(sources: readonly string[]): Promise<void> {
  const hashOf = createHasher();
  const stale = sources.filter((source) => !current.has(source) && !isCurrent(fileOf(source), hashOf));
  if (stale.length > 0) {
    const { bundlePrograms } = await import('./bundle-programs.ts');
    for (const bundle of await bundlePrograms(stale, { checkout })) write(bundle, hashOf);
  }
  for (const source of sources) current.add(source);
}

/** Returns the path of a program's file, which is built first if its sources have changed. */
export async function builtProgram(source: string): Promise<string> {
  await buildPrograms([source]);
  return join(checkout, fileOf(source));
}

function write({ source, code, map, inputs }: Bundle, hashOf: Hasher): void {
  const file = fileOf(source);
  const own = inputs.filter((path) => !path.includes('node_modules/'));
  mkdirSync(join(checkout, dirname(file)), { recursive: true });
  rmSync(join(checkout, cacheBeside(file)), { recursive: true, force: true });
  replace(`${file}.map`, map);
  // The file itself records its sources: one rename replaces both.
  replace(file, Buffer.concat([code, Buffer.from(`${madeOf}${JSON.stringify({ hash: hashOf(own), inputs: own } satisfies Stamp)}\n`)]));
}

function replace(path: string, content: Uint8Array): void {
  const fresh = join(checkout, `${path}.${process.pid}.new`);
  writeFileSync(fresh, content);
  renameSync(fresh, join(checkout, path));
}

const madeOf = '\n// made of ';
const mostOfStamp = 200_000;

interface Stamp {
  readonly hash: string;
  readonly inputs: readonly string[];
}

function isCurrent(file: string, hashOf: Hasher): boolean {
  const end = endOf(file);
  const at = end.lastIndexOf(madeOf);
  if (at < 0) return false;
  const made = JSON.parse(end.slice(at + madeOf.length)) as Stamp;
  return made.hash === hashOf(made.inputs);
}

function endOf(file: string): string {
  let fd: number;
  try {
    fd = openSync(join(checkout, file), 'r');
  } catch {
    return '';
  }
  try {
    const bytes = Buffer.alloc(mostOfStamp);
    const read = readSync(fd, bytes, 0, mostOfStamp, Math.max(0, fstatSync(fd).size - mostOfStamp));
    return bytes.toString('utf8', 0, read);
  } finally {
    closeSync(fd);
  }
}

type Hasher = (inputs: readonly string[]) => string;

/**
 * Returns a function that hashes sources together with this build, its settings and the lockfile, which stands for the libraries. A missing
 * source changes the hash. Programs share most of their sources, so each is read once. The builder's tests are left out: the build of an
 * image has none, and its files have the same bytes.
 */
function createHasher(): Hasher {
  const known = new Map<string, string>();
  const hashOfFile = (path: string): string => {
    const found = known.get(path) ?? hash('sha256', contentOf(path));
    known.set(path, found);
    return found;
  };
  const builder = 'packages/programs/src';
  const own = readdirSync(join(checkout, builder)).filter((name) => !name.endsWith('.test.ts'));
  const common = ['pnpm-lock.yaml', 'tsconfig.json', ...own.map((name) => `${builder}/${name}`)];
  return (inputs) => hash('sha256', [...common, ...inputs].map((path) => `${path} ${hashOfFile(path)}`).join('\n'));
}

function contentOf(path: string): Uint8Array {
  try {
    return readFileSync(join(checkout, path));
  } catch {
    return new Uint8Array();
  }
}
