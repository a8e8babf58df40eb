import { join } from 'node:path';
import { buildPages, type Manifest } from '@corner/build-pages';

const root = join(import.meta.dirname, '..');
/** Where services/console serves them from. */
const served = join(root, '../../services/console/dist/shop');

/** Builds the pages of a shop into `outDir`, that of their server when absent, unless they are there already. */
export const buildShopPages = (outDir = served): Promise<Manifest> =>
  buildPages(
    { root, jsxImportSource: 'preact', title: 'Corner', head: [], noscript: 'This page needs JavaScript.', firstPage: [] },
    outDir,
  );
