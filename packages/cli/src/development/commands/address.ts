import { Argument, Command } from 'commander';
import { dataFolder, withDataFolder } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { standardOutput } from '../../screen/output.ts';
import { runningSystem } from '../system/find-running.ts';

const places = { gateway: 'gateway', docs: 'docs', console: 'console', shop: 'shop', payments: 'payments', inbox: 'messages' } as const;

export const addressCommand = withDataFolder(new Command('address'))
  .description('Prints an address of the running system. A port that is taken is replaced by another, so scripts ask.')
  .addArgument(new Argument('[place]', 'what to find').choices(Object.keys(places)).default('gateway'))
  .option('--json', 'print it as JSON')
  .addHelpText('after', '\nExample:\n  curl $(npx corner address)/readyz\n')
  .action((place: keyof typeof places, options: { data: string; json?: true }) => {
    const run = runningSystem(dataFolder(options), 'there is no address');
    const address = run[places[place]];
    if (!address)
      throw new Failure(
        'there is no address',
        place === 'console' || place === 'shop'
          ? `this system was started without the ${place}`
          : `the ${place} of this system is not simulated`,
        'npx corner status',
      );
    const output = standardOutput();
    if (options.json) output.json({ address });
    else output.write(`${address}\n`);
  });
