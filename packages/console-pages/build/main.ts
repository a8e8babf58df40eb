import { buildConsolePages } from './build-pages.ts';

await buildConsolePages();
