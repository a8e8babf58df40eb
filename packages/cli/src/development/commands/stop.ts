import { endProcess, isAlive, readLedger, stopLeftovers } from '@corner/sandbox/system';
import { Command } from 'commander';
import { dataFolder, withDataFolder } from '../../options.ts';
import { standardOutput } from '../../screen/output.ts';

export const stopCommand = withDataFolder(new Command('stop'))
  .description('Stops the running system, or the processes that a killed one left behind.')
  .option('--json', 'print what was stopped as JSON')
  .addHelpText('after', '\nExample:\n  npx corner stop\n\nExit code 0, also when nothing was running.\n')
  .action(async (options: { data: string; json?: true }) => {
    const stopped = await stopSystem(dataFolder(options));
    const output = standardOutput();
    if (options.json) output.json({ stopped });
    else output.write(stopped.length === 0 ? '  Nothing was running.\n' : `  Stopped ${stopped.join(', ')}.\n`);
  });

async function stopSystem(dataDir: string): Promise<string[]> {
  const ledger = readLedger(dataDir);
  if (ledger && isAlive(ledger.supervisor)) {
    await endProcess(ledger.supervisor, 30_000);
    return [...new Set([...Object.keys(ledger.processes), ...(await stopLeftovers(dataDir))])];
  }
  return await stopLeftovers(dataDir);
}
