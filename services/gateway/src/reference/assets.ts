import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Express } from 'express';
import type { AssetUrls } from './frame.ts';
import { serveConstant } from './serve-constant.ts';

const folder = join(import.meta.dirname, '../../pages');

/** The addresses hold the files' hash, so a browser may keep them for a year. */
export function addAssets(app: Express): AssetUrls {
  const files = readdirSync(folder).filter((name) => ['.css', '.js'].includes(extname(name)));
  const urls = files.map((name) => {
    const bytes = readFileSync(join(folder, name));
    const url = `/docs/assets/${name.replace('.', `.${hash('sha256', bytes, 'hex').slice(0, 16)}.`)}`;
    app.get(
      url,
      serveConstant(extname(name), () => bytes, { 'Cache-Control': 'public, max-age=31536000, immutable' }),
    );
    return [name, url];
  });
  return Object.fromEntries(urls) as AssetUrls;
}
