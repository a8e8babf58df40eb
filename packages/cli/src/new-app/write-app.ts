import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkout } from '@corner/sandbox/system';

const template = join(import.meta.dirname, '../../template');

/**
 * Writes the program into a folder, which is made when it is missing. `tarball` is the file name of the client in that folder. Its start looks
 * up the addresses of the system with the data in `dataDir`.
 */
export function writeApp(folder: string, tarball: string, dataDir: string): void {
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
    scripts: { start: `tsc && node "${checkout}/tools/corner.js" run --data "${dataDir}" node out/main.js` },
    engines: { node: '>=20' },
    dependencies: { '@corner/client': `file:${tarball}` },
    devDependencies: { typescript: '5.9.3' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\nout/\n');
}
