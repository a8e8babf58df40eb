import { existsSync, mkdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { Failure } from '../../screen/failure.ts';
import { standardOutput } from '../../screen/output.ts';

export const clientCommand = new Command('client')
  .description('Packs the client, @corner/client, as a tarball that npm installs in any folder.')
  .argument('[folder]', 'where the tarball goes', '.')
  .option('--json', 'print the path of the tarball as JSON')
  .addHelpText('after', '\nExample:\n  npx corner client ../my-app\n  cd ../my-app && npm install ./corner-client-0.1.0.tgz\n')
  .action(async (folder: string, options: { json?: true }) => {
    const output = standardOutput();
    const tarball = await packClientInto(resolve(folder));
    if (options.json) output.json({ tarball });
    else output.write(`${tarball}\n`);
  });

export async function packClientInto(folder: string): Promise<string> {
  const what = 'the client was not packed';
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new Failure(what, `${folder} is no folder`, 'name a folder, or a new one');
  mkdirSync(folder, { recursive: true });
  const { packClient } = await import('@corner/client/pack');
  return await packClient(folder);
}
