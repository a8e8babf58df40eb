import { hash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { nameEntryPoints } from '@corner/chassis/edge';
import { Problem } from '@corner/contracts';
import type { Express, Request, Response } from 'express';
import { z } from 'zod';

export const builtPages = join(import.meta.dirname, '../../dist');

const Manifest = z.object({
  files: z.array(z.object({ path: z.string(), immutable: z.boolean() })),
  lazy: z.record(z.string(), z.array(z.string())).default({}),
});

/** Returns values of the header `Link` for files that a document needs soon. `lazy`: the files of each source that is imported lazily. */
export type Hints = (request: Request, lazy: Readonly<Record<string, readonly string[]>>) => Promise<readonly string[]>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};
const encodings = { br: '.br', gzip: '.gz' } as const;

interface Page {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  readonly compressed: ReadonlyMap<string, Buffer>;
  readonly immutable: boolean;
}

/**
 * Adds the built pages, as the build's manifest names them. A file whose name holds its hash may be cached for a year; the others are
 * revalidated each time. Any other path returns index.html, with the header `Link` from `hints`, because the pages have routes of their
 * own; a path under /api does not.
 */
export function addPages(app: Express, folder: string, hints: Hints = async () => []): void {
  let read: Built | null = null;
  const current = (): Pick<Built, 'pages' | 'lazy'> => {
    const manifest = join(folder, 'manifest.json');
    if (!existsSync(manifest)) return { pages: new Map(), lazy: {} };
    const at = statSync(manifest).mtimeMs;
    // In development the pages are built again while the server runs.
    if (read?.at !== at) read = { at, ...readPages(folder) };
    return read;
  };
  const handle = async (request: Request, response: Response) => {
    const { pages, lazy } = current();
    const isDocument = !pages.has(request.path.slice(1)) && extname(request.path) === '';
    const links = isDocument ? await hints(request, lazy) : [];
    if (links.length > 0) response.set('Link', links.join(', '));
    send(pages, request, response);
  };
  nameEntryPoints('http.route', ['/*path', '/']);
  app.get('/*path', handle);
  app.get('/', handle);
}

interface Built {
  readonly at: number;
  readonly pages: ReadonlyMap<string, Page>;
  readonly lazy: Readonly<Record<string, readonly string[]>>;
}

function send(pages: Built['pages'], request: Request, response: Response): void {
  const file = pages.get(request.path.slice(1));
  const isFile = extname(request.path) !== '';
  if (!file && (/^\/api(\/|$)/.test(request.path) || isFile)) throw new Problem('ROUTE_NOT_FOUND');
  const page = file ?? pages.get('index.html');
  if (!page) {
    response.status(503).type('text/plain').send('The pages are not built.\n');
    return;
  }
  response
    .type(page.type)
    .set({ 'Cache-Control': page.immutable ? 'public, max-age=31536000, immutable' : 'no-cache' })
    .vary('Accept-Encoding');
  const encoding = (['br', 'gzip'] as const).find((each) => page.compressed.has(each) && request.acceptsEncodings(each) === each);
  response.set('ETag', `"${page.etag}${encoding ? `-${encoding}` : ''}"`);
  if (encoding) response.set('Content-Encoding', encoding);
  response.send(encoding ? page.compressed.get(encoding) : page.bytes);
}

function readPages(folder: string): Omit<Built, 'at'> {
  const { files, lazy } = Manifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
  const pages = new Map(
    files.map(({ path, immutable }): [string, Page] => {
      const bytes = readFileSync(join(folder, path));
      const siblings = Object.entries(encodings).filter(([, ending]) => existsSync(join(folder, path + ending)));
      return [
        path,
        {
          type: types[extname(path)] ?? 'application/octet-stream',
          etag: hash('sha256', bytes, 'base64url').slice(0, 22),
          bytes,
          compressed: new Map(siblings.map(([encoding, ending]) => [encoding, readFileSync(join(folder, path + ending))])),
          immutable,
        },
      ];
    }),
  );
  return { pages, lazy };
}
