import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Command } from 'commander';
import { checkout, dataFolder, withDataFolder } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { standardOutput } from '../../screen/output.ts';
import { packClientInto } from './client.ts';

const newApp = withDataFolder(new Command('app'))
  .description('Writes a small TypeScript program that places, pays and follows an order. It needs Node 20 or later, and npm.')
  .argument('<folder>', 'an empty folder, or one that does not exist')
  .option('--web', 'a small shop instead, for a browser: menu, payment in the sandbox, the live order')
  .option('--json', 'print the folder as JSON')
  .addHelpText(
    'after',
    '\nExample, beside a running system:\n  npx corner new app ../my-app\n  cd ../my-app && npm install && npm start\n  npx corner new app --web ../my-shop\n',
  )
  .action(async (folder: string, options: { data: string; web?: true; json?: true }) => {
    const output = standardOutput();
    const written = await createApp(resolve(folder), dataFolder(options), options.web ? 'template-web' : 'template');
    if (options.json) output.json({ folder: written });
    else output.write(`  Written to ${written}\n\n  cd ${folder} && npm install && npm start\n`);
  });

export const newCommand = new Command('new').description('Writes a program that uses Corner.').addCommand(newApp);

async function createApp(folder: string, dataDir: string, template: keyof typeof programs): Promise<string> {
  const what = 'no app was written';
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Failure(what, `${folder} is no folder`, 'name a new folder');
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Failure(what, `${folder} has files`, 'name an empty folder, or a new one');
  const tarball = basename(await packClientInto(folder));
  writeApp(folder, tarball, dataDir, template);
  return folder;
}

const programs = { template: 'out/main.js', 'template-web': 'serve.js' } as const;

function writeApp(folder: string, tarball: string, dataDir: string, template: keyof typeof programs): void {
  mkdirSync(folder, { recursive: true });
  cpSync(`${checkout}/packages/cli/${template}`, folder, { recursive: true });
  const manifest = {
    name:
      basename(folder)
        .toLowerCase()
        .replace(/[^a-z0-9._-]+/g, '-')
        .replace(/^[._-]+/, '') || 'app',
    private: true,
    type: 'module',
    scripts: { start: `tsc && node "${checkout}/tools/corner.js" run --data "${dataDir}" node ${programs[template]}` },
    engines: { node: '>=20' },
    dependencies: { '@corner/client': `file:${tarball}` },
    devDependencies: { typescript: '5.9.3' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\nout/\n');
}
