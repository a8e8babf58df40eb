import { join } from 'node:path';
import { buildPages, type Manifest } from '@corner/build-pages';

const root = join(import.meta.dirname, '..');
/** Where services/console serves them from. */
const served = join(root, '../../services/console/dist/shop');

const head = [
  '<meta name="description" content="Order, collect stamps, and take a place in the queue.">',
  '<meta name="theme-color" content="#faf8f4" media="(prefers-color-scheme: light)">',
  '<meta name="theme-color" content="#141311" media="(prefers-color-scheme: dark)">',
  '<link rel="manifest" href="/manifest.webmanifest">',
  '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
  '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
];

/** Builds the pages of a shop into `outDir`, that of their server when absent, unless they are there already. */
export const buildShopPages = (outDir = served): Promise<Manifest> =>
  buildPages(
    {
      root,
      jsxImportSource: 'preact',
      title: 'Corner',
      head,
      noscript: 'This page needs JavaScript.',
      firstPage: ['texts/en/index.ts', 'pages/menu/index.tsx'],
    },
    outDir,
  );
