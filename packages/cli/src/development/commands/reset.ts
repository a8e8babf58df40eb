import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isAlive, readLedger, stopLeftovers, systemData } from '@corner/sandbox/system';
import { Command } from 'commander';
import { confirm } from '../../operator/confirm.ts';
import { dataFolder, withDataFolder } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { standardOutput } from '../../screen/output.ts';

export const resetCommand = withDataFolder(new Command('reset'))
  .description('Deletes all data of this checkout: databases, streams, logs, development keys. Asks for confirmation.')
  .option('--yes', 'do not ask for confirmation')
  .option('--json', 'print what was deleted as JSON')
  .addHelpText('after', '\nExample:\n  npm run reset\n')
  .action(async (options: { data: string; yes?: true; json?: true }) => {
    const folder = dataFolder(options);
    const ledger = readLedger(folder);
    if (ledger && isAlive(ledger.supervisor)) {
      throw new Failure('nothing was deleted', `corner is running here as process ${ledger.supervisor.pid}`, 'npx corner stop');
    }
    const deleted = systemData.filter((name) => existsSync(`${folder}/${name}`));
    if (deleted.length > 0) await confirm(`Delete ${deleted.join(', ')} in ${folder}?`, options);
    await stopLeftovers(folder);
    for (const name of deleted) await rm(`${folder}/${name}`, { recursive: true, force: true });
    const output = standardOutput();
    if (options.json) output.json({ folder, deleted });
    else
      output.write(deleted.length === 0 ? `  There was nothing to clear in ${folder}.\n` : `  Cleared ${folder}: ${deleted.join(', ')}.\n`);
  });
