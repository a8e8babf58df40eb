import { randomUUID } from 'node:crypto';
import { beginReplay, countReplay, type RpcOutput, replayPage, type ServiceName } from '@corner/contracts';
import { Command } from 'commander';
import { confirm } from '../operator/confirm.ts';
import { parseInstant } from '../operator/parse-instant.ts';
import { byOption, reachServices, type Services, serviceOption, type Where, withServices } from '../operator/reach-services.ts';
import { green, red, standardOutput } from '../output.ts';

interface Options extends Where {
  readonly service: ServiceName;
  readonly since: string;
  readonly until?: string;
  readonly type?: string;
  readonly to?: string;
  readonly yes?: true;
  readonly by: string;
  readonly json?: true;
}

type Page = RpcOutput<ReturnType<typeof replayPage>>;

/** `corner replay`: brings a range of events to a service once more. */
export const replayCommand = withServices(new Command('replay'))
  .description('Brings a range of past events to a service once more. Counts first, asks, does, and leaves on record who did it.')
  .addOption(serviceOption('the service that hears them').makeOptionMandatory())
  .requiredOption('--since <time>', 'events the broker took from here on: a time, or how long ago', (text) => parseInstant(text))
  .option('--until <time>', 'and before this; now, when absent', (text) => parseInstant(text))
  .option('--type <type>', 'of this type alone')
  .option('--to <reaction>', 'to this one reaction; to all of them when absent')
  .option('--yes', 'without asking')
  .addOption(byOption())
  .addHelpText(
    'after',
    `
Example:
  npx corner replay --service loyalty --since 2h --type order.paid --to awardStampsWhenOrderPaid

Reactions find by their own tables what has been done already, so an event that had its effect does not have it twice.
Dead letters in the range are left to "corner dead-letters retry". Exit code 1 when an event fails.
`,
  )
  .action(async (options: Options) => {
    await using platform = await reachServices(options);
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
    const done =
      counted === 0
        ? { processed: 0, skipped: 0, failed: 0, failures: [] }
        : await replayAll(platform, options.service, { replayId, by, counted, range });
    if (options.json) output.json({ replay_id: counted === 0 ? null : replayId, counted, ...done });
    else {
      for (const { event_id, type, error } of done.failures) output.write(`  ${red(output, 'no')}  ${event_id}  ${type}: ${error}\n`);
      const mark = done.failed === 0 ? green(output, 'ok') : red(output, 'no');
      const skipped = done.skipped > 0 ? `, ${done.skipped} left out as dead letters or not heard yet` : '';
      output.write(
        `  ${mark}  ${done.processed} replayed${skipped}, ${done.failed} failed${counted === 0 ? '' : `; on record as ${replayId}`}\n`,
      );
    }
    if (done.failed > 0) process.exitCode = 1;
  });

interface Replay {
  readonly replayId: string;
  readonly by: string;
  readonly counted: number;
  readonly range: { readonly since: string; readonly until: string };
}

/** Pages through the range. A page whose answer was lost is asked for again: it does nothing twice. */
async function replayAll(platform: Services, service: ServiceName, { replayId, by, counted, range }: Replay) {
  await platform.call(beginReplay(service), { ...range, replay_id: replayId, by, counted });
  const failures: Page['failures'] = [];
  for (let from = { producer: 0, sequence: 0 }; ; ) {
    const page = await askAgain(() => platform.call(replayPage(service), { replay_id: replayId, from }));
    failures.push(...page.failures);
    if (page.next === null) return { processed: page.processed, skipped: page.skipped, failed: page.failed, failures };
    from = page.next;
  }
}

const most = 5;

async function askAgain<T>(ask: () => Promise<T>): Promise<T> {
  for (let times = 1; ; times += 1) {
    try {
      return await ask();
    } catch (error) {
      if (times === most) throw error;
      await new Promise((resolve) => setTimeout(resolve, times * 1_000));
    }
  }
}
