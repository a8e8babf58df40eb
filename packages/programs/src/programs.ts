import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

/** Returns the path of a program's file, from its source: `services/orders/src/main.ts` gives `services/orders/dist/main.js`. */
export const fileOf = (source: string): string =>
  source.replace(/\/src\/(.*)\.ts$/, (_, path: string) => `/dist/${path.replaceAll('/', '-')}.js`);

/** Returns the folder beside a program's file for the code that V8 compiles. It is removed when one of the programs is built again. */
export const cacheBeside = (file: string): string => join(dirname(file), 'cache');
