import { type ServiceName, services, showDeadLetter } from '@corner/contracts';
import { Command } from 'commander';
import { Failure } from '../failure.ts';
import { byOption, reachServices, serviceOption, type Where, withServices } from '../operator/reach-services.ts';
import { standardOutput } from '../output.ts';

/** `corner dead-letters show`: one dead letter, without what it says of people unless that is asked for. */
export const showCommand = withServices(new Command('show'))
  .argument('<event id>', 'the event that was set aside')
  .description('Shows a dead letter and its envelope. Its data may name people: it is withheld, and only its fields are named.')
  .addOption(serviceOption('at this service alone'))
  .option('--payload', 'with its data: on a terminal or as JSON; that you looked is noted in the service’s log')
  .addOption(byOption())
  .addHelpText('after', '\nExample:\n  npx corner dead-letters show 0190a000-0000-7000-8000-0000000000e1\n')
  .action(async (eventId: string, options: Where & { service?: ServiceName; payload?: true; by: string; json?: true }) => {
    // A pipe is where a log or a ticket begins; whoever wants the data in a program says so by asking for JSON.
    if (options.payload && !options.json && !process.stdout.isTTY)
      throw new Failure('nothing was shown', 'the data may name people, and the output is no terminal', 'the same command with --json');
    await using platform = await reachServices(options);
    const names = options.service ? [options.service] : services;
    const said = await platform.callEach(names, showDeadLetter, { event_id: eventId, payload: options.payload === true, by: options.by });
    const found = said.flatMap(({ service, answer }) => (answer?.dead_letter ? [{ service, ...answer.dead_letter }] : []));
    const silent = said.filter(({ fault }) => fault !== undefined);
    if (found.length === 0) {
      const why =
        silent.length > 0 ? `${silent.map(({ service, fault }) => `${service}: ${fault}`).join('\n')}` : 'no service has set it aside';
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
