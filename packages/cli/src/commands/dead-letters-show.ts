import { type ServiceName, showDeadLetter } from '@corner/contracts';
import { Command } from 'commander';
import {
  byOption,
  type ConnectionOptions,
  connectToServices,
  serviceOption,
  withConnectionOptions,
} from '../operator/connect-to-services.ts';
import { Failure } from '../screen/failure.ts';
import { standardOutput } from '../screen/output.ts';

/**
 * The data may be personal, so it is shown only with --payload. Piped output may end up in a log or a ticket: a program must ask for it
 * with --json.
 */
export const showCommand = withConnectionOptions(new Command('show'))
  .argument('<event id>', 'the id of the dead letter’s event')
  .description('Shows a dead letter and its envelope. Its data may be personal, so only the names of its fields are shown.')
  .addOption(serviceOption('only at this service'))
  .option('--payload', 'also show its data, on a terminal or as JSON; the service logs that you did')
  .addOption(byOption())
  .addHelpText('after', '\nExample:\n  npx corner dead-letters show 0190a000-0000-7000-8000-0000000000e1\n')
  .action(async (eventId: string, options: ConnectionOptions & { service?: ServiceName; payload?: true; by: string; json?: true }) => {
    if (options.payload && !options.json && !process.stdout.isTTY)
      throw new Failure('nothing was shown', 'the data may be personal, and the output is not a terminal', 'the same command with --json');
    await using platform = await connectToServices(options);
    const names = options.service ? [options.service] : platform.services;
    const replies = await platform.callEach(names, showDeadLetter, {
      event_id: eventId,
      payload: options.payload === true,
      by: options.by,
    });
    const found = replies.flatMap(({ service, output }) => (output?.dead_letter ? [{ service, ...output.dead_letter }] : []));
    const unreachable = replies.filter(({ error }) => error !== undefined);
    if (found.length === 0) {
      const why =
        unreachable.length > 0
          ? `${unreachable.map(({ service, error }) => `${service}: ${error}`).join('\n')}`
          : 'no service has a dead letter with this event id';
      throw new Failure(`there is no dead letter ${eventId}`, why, 'npx corner dead-letters list --all');
    }
    const output = standardOutput();
    if (options.json) return output.json(found);
    for (const { service, envelope, data_fields, payload, ...deadLetter } of found) {
      const lines = Object.entries({ service, ...deadLetter, ...prefixed(envelope) }).filter(([, value]) => value !== null);
      for (const [name, value] of lines) output.write(`  ${name.padEnd(26)}${String(value)}\n`);
      output.write(`  ${'data'.padEnd(26)}${payload ?? `withheld; its fields: ${data_fields.join(', ') || 'none'}`}\n\n`);
    }
  });

const prefixed = (envelope: Readonly<Record<string, unknown>> | null) =>
  Object.fromEntries(Object.entries(envelope ?? {}).map(([name, value]) => [`envelope.${name}`, value]));
