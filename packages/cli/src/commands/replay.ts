import { randomUUID } from 'node:crypto';
import { countReplay, type ServiceName } from '@corner/contracts';
import { replayEvents } from '@corner/operator';
import { Command } from 'commander';
import { confirm } from '../operator/confirm.ts';
import {
  byOption,
  type ConnectionOptions,
  connectToServices,
  serviceOption,
  withConnectionOptions,
} from '../operator/connect-to-services.ts';
import { parseInstant } from '../options.ts';
import { green, red, standardOutput } from '../screen/output.ts';

interface Options extends ConnectionOptions {
  readonly service: ServiceName;
  readonly since: string;
  readonly until?: string;
  readonly type?: string;
  readonly to?: string;
  readonly yes?: true;
  readonly by: string;
  readonly json?: true;
}

export const replayCommand = withConnectionOptions(new Command('replay'))
  .description('Lets a service process a range of past events again. Counts the events, asks for confirmation, and records who did it.')
  .addOption(serviceOption('the service that consumes the events').makeOptionMandatory())
  .requiredOption('--since <time>', 'the start of the range by the broker’s clock: a time, or how long ago', (text) => parseInstant(text))
  .option('--until <time>', 'the end of the range (default: now)', (text) => parseInstant(text))
  .option('--type <type>', 'only events of this type')
  .option('--to <event handler>', 'only for this event handler (default: all)')
  .option('--yes', 'do not ask for confirmation')
  .addOption(byOption())
  .addHelpText(
    'after',
    `
Example:
  npx corner replay --service loyalty --since 2h --type order.paid --to awardStampsWhenOrderPaid

Event handlers recognise what they have done before, so no event takes effect twice. Dead letters in the range are skipped:
use "corner dead-letters retry" for them. Exit code 1 when an event fails.
`,
  )
  .action(async (options: Options) => {
    await using platform = await connectToServices(options);
    const output = standardOutput();
    const { service, since, type, to, by } = options;
    const range = { since, until: options.until ?? new Date().toISOString(), ...(type ? { type } : {}), ...(to ? { to } : {}) };
    const { counts } = await platform.call(countReplay(service), range);
    const counted = counts.reduce((sum, { count }) => sum + count, 0);
    if (!options.json)
      for (const { type, count, event_handlers } of counts)
        output.write(`  ${String(count).padStart(8)}  ${type} to ${event_handlers.join(', ')}\n`);
    if (counted > 0) await confirm(`Replay ${counted === 1 ? 'one event' : `${counted} events`} to ${service}?`, options);
    const replayId = randomUUID();
    const result =
      counted === 0
        ? { processed: 0, skipped: 0, failed: 0, failures: [] }
        : await replayEvents(platform, service, { replayId, by, counted, range });
    if (options.json) output.json({ replay_id: counted === 0 ? null : replayId, counted, ...result });
    else {
      for (const { event_id, type, error } of result.failures) output.write(`  ${red(output, 'no')}  ${event_id}  ${type}: ${error}\n`);
      const mark = result.failed === 0 ? green(output, 'ok') : red(output, 'no');
      const skipped = result.skipped > 0 ? `, ${result.skipped} skipped because they are dead letters or not processed yet` : '';
      output.write(
        `  ${mark}  ${result.processed} replayed${skipped}, ${result.failed} failed${counted === 0 ? '' : `; on record as ${replayId}`}\n`,
      );
    }
    if (result.failed > 0) process.exitCode = 1;
  });
