import { join } from 'node:path';
import { buildPages, type Manifest } from '@corner/build-pages';

const root = join(import.meta.dirname, '..');
const served = join(root, '../../services/console/dist/console');

/** Builds the pages of the console into `outDir`, by default their server's, unless they are already there. */
export const buildConsolePages = (outDir = served): Promise<Manifest> =>
  buildPages(
    {
      root,
      jsxImportSource: 'react',
      title: 'Corner',
      head: ['<link rel="icon" href="data:,">'],
      noscript: 'The console needs JavaScript.',
      firstPage: ['pages/operator/overview-page.tsx', 'components/plot.tsx'],
    },
    outDir,
  );
