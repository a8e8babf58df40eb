#!/usr/bin/env node
// Starts `corner` with the Node the project brings along: whoever types the command may have an older one.
// Kept to what Node 20 understands.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const node = at('node_modules/.bin/node');

if (!existsSync(node)) {
  process.stderr.write(
    'corner: the packages of this checkout are not installed yet.\nIts own Node comes with them.\nRun: npx --yes pnpm@12.21.0 install\n',
  );
  process.exit(1);
}

const child = spawn(
  node,
  ['--enable-source-maps', at('packages/programs/src/run.ts'), 'packages/cli/src/main.ts', ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
// The terminal sends Ctrl-C and hang-up to both of us: the one that works decides when it is over.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => {
  // The loader's own exit code: Node 26 wants a library that a bare Debian lacks.
  if (code === 127) process.stderr.write('corner: Node 26 needs the library libatomic.\nOn Debian or Ubuntu: apt-get install libatomic1\n');
  process.exit(code ?? 1);
});
