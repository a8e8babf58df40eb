import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Content } from './bundle.ts';

/**
 * A file of the built pages, at a path relative to their folder: `assets/main-2OFK7A3D.js`. `immutable`: its name holds the hash of its
 * content. Beside it are `<path>.br` and `<path>.gz` when it is compressed; else their sizes are null.
 */
export interface BuiltFile {
  readonly path: string;
  readonly type: string;
  readonly immutable: boolean;
  readonly bytes: number;
  readonly brotli: number | null;
  readonly gzip: number | null;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.png': 'image/png',
};
const asTheyAre = new Set(['.woff2', '.png']);

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

export async function compress(folder: string, { path, bytes }: Content): Promise<BuiltFile> {
  const extension = extname(path);
  const type = types[extension];
  if (type === undefined) throw new Error(`no media type for ${path}: add it to compress.ts`);
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, bytes);
  const copies = asTheyAre.has(extension) ? null : await compressed(bytes);
  if (copies) await Promise.all([writeFile(`${file}.br`, copies.brotli), writeFile(`${file}.gz`, copies.gzip)]);
  return {
    path,
    type,
    immutable: path.startsWith('assets/'),
    bytes: bytes.byteLength,
    brotli: copies?.brotli.byteLength ?? null,
    gzip: copies?.gzip.byteLength ?? null,
  };
}

async function compressed(bytes: Uint8Array): Promise<{ readonly brotli: Buffer; readonly gzip: Buffer }> {
  // The best quality takes a second of processor time for all files, once for each change of the sources, and saves a fifteenth of every
  // first visit.
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
  const [small, smaller] = await Promise.all([gzipped(bytes, { level: 9 }), brotli(bytes, { params })]);
  return { gzip: small, brotli: smaller };
}
