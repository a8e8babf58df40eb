import { consumerParts, maxConsumerParts, type ServiceName, services } from '@corner/contracts';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { byOption, type ConnectionOptions, connectToServices, withConnectionOptions } from '../operator/connect-to-services.ts';
import { green, standardOutput } from '../screen/output.ts';

interface Options extends ConnectionOptions {
  readonly by: string;
  readonly parts?: number;
  readonly json?: true;
}

export const consumersCommand = withConnectionOptions(new Command('consumers'))
  .addArgument(new Argument('<service>', 'the service that consumes').choices([...services]))
  .description('Says into how many parts the events that a service consumes are divided, each read by one replica, and changes it.')
  .option('--parts <number>', 'divide them into so many parts from now on, while the service runs', parseParts)
  .addOption(byOption())
  .addHelpText(
    'after',
    `
Example:
  npx corner consumers notifications --parts 4

The streams need consumers for them first: CONSUMER_PARTS=notifications=4 of corner streams, and --parts notifications=4 of corner nats-users.
`,
  )
  .action(async (service: ServiceName, options: Options) => {
    const { parts = null, by } = options;
    await using platform = await connectToServices(options);
    const now = await platform.call(consumerParts(service), { parts, by });
    const output = standardOutput();
    if (options.json) output.json(now);
    else if (now.parts === now.prepared) output.write(`  ${green(output, 'ok')}  ${service} consumes in ${partsOf(now.parts)}\n`);
    else
      output.write(
        `  ${green(output, 'ok')}  ${service} goes from ${partsOf(now.prepared)} to ${partsOf(now.parts)} within seconds: its replicas finish what they read\n`,
      );
  });

const partsOf = (count: number): string => (count === 1 ? 'one part' : `${count} parts`);

function parseParts(text: string): number {
  const parts = Number(text);
  if (!Number.isInteger(parts) || parts < 1 || parts > maxConsumerParts)
    throw new InvalidArgumentError(`The number of parts is from 1 to ${maxConsumerParts}.`);
  return parts;
}
