import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What the program needs to know of the running system. The same fields as in template/src/settings.ts. */
export interface AppSettings {
  readonly gateway: string;
  readonly payments: string;
  readonly paymentsKey: string;
  readonly storeId: string;
  readonly storeCode: string;
}

const template = join(import.meta.dirname, '../../template');

/** Writes the program into a folder, which is made when it is missing. `tarball` is the file name of the client in that folder. */
export function writeApp(folder: string, tarball: string, settings: AppSettings): void {
  mkdirSync(folder, { recursive: true });
  cpSync(template, folder, { recursive: true });
  const manifest = {
    name:
      basename(folder)
        .toLowerCase()
        .replace(/[^a-z0-9._-]+/g, '-')
        .replace(/^[._-]+/, '') || 'app',
    private: true,
    type: 'module',
    scripts: { start: 'tsc && node out/main.js' },
    engines: { node: '>=20' },
    dependencies: { '@corner/client': `file:${tarball}` },
    devDependencies: { typescript: '5.9.3' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\nout/\n');
  writeFileSync(join(folder, 'src/settings.ts'), settingsSource(settings));
}

const settingsSource = (settings: AppSettings): string => `/** Where Corner runs, and the store that sells. */
export const settings = ${JSON.stringify(settings, null, 2)};
`;
