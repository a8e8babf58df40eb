import { buildShopPages } from './build-pages.ts';

await buildShopPages();
