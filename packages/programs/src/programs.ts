import { globSync } from 'node:fs';
import { join } from 'node:path';

export const checkout: string = join(import.meta.dirname, '../../..');

/** Returns the sources of all programs of Corner, relative to the checkout. */
export const allPrograms = (): readonly string[] =>
  globSync(
    [
      'services/*/src/{main,migrate,development,storefront}.ts',
      'packages/sandbox/src/*/{main,end-with-parent}.ts',
      'packages/cli/src/main.ts',
      'packages/platform/src/migrate.ts',
    ],
    {
      cwd: checkout,
    },
  ).sort();

/** Returns where the file of a program is, from its source: `services/orders/src/main.ts` gives `services/orders/dist/main.js`. */
export const fileOf = (source: string): string =>
  source.replace(/\/src\/(.*)\.ts$/, (_, path: string) => `/dist/${path.replaceAll('/', '-')}.js`);
