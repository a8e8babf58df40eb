import { run } from '@corner/chassis/edge';
import { readStorefrontConfig } from './storefront/config.ts';
import { startStorefront } from './storefront/storefront.ts';

await run('storefront', readStorefrontConfig, () => startStorefront(readStorefrontConfig()));
