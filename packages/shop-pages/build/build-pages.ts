import { join } from 'node:path';
import { buildPages, type Manifest } from '@corner/build-pages';

const root = join(import.meta.dirname, '..');
const served = join(root, '../../services/console/dist/shop');

const head = [
  '<meta name="description" content="Order, collect stamps, and take a place in the queue.">',
  '<meta name="theme-color" content="#faf8f4" media="(prefers-color-scheme: light)">',
  '<meta name="theme-color" content="#141311" media="(prefers-color-scheme: dark)">',
  '<link rel="manifest" href="/manifest.webmanifest">',
  '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
  '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
];

/** Grey bars where the heading and the first items will be. The browser's own text colour suits a dark screen too. */
const bars = [24, 76, 148, 220, 292, 364].map(
  (y, index) => `<rect x="5%" y="${y}" width="${index === 0 ? 55 : 90}%" height="${index === 0 ? 32 : 52}" rx="8"/>`,
);
const loading = `<svg width="100%" height="440" fill="currentColor" fill-opacity=".1" aria-hidden="true">${bars.join('')}</svg>`;

/** Builds the pages of a shop into `outDir`, by default their server's, unless they are already there. */
export const buildShopPages = (outDir = served): Promise<Manifest> =>
  buildPages(
    {
      root,
      jsxImportSource: 'preact',
      title: 'Corner',
      head,
      noscript: 'This page needs JavaScript.',
      loading,
      firstPage: ['texts/en/index.ts'],
      shared: 'app.tsx',
    },
    outDir,
  );
