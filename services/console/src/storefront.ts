import { run } from '@corner/chassis/edge';
import { storefrontProgram } from './storefront/storefront.ts';

await run(storefrontProgram);
