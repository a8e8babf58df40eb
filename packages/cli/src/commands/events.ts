import { type VerifiedEvents, verifyEvents } from '@corner/operator';
import { Command } from 'commander';
import { type ConnectionOptions, connectToServices, withConnectionOptions } from '../operator/connect-to-services.ts';
import { green, type Output, red, standardOutput } from '../screen/output.ts';

const verifyCommand = withConnectionOptions(new Command('verify'))
  .description('Compares each outbox with the inboxes of its consumers, range by range. Exit code 1 when something is missing or differs.')
  .addHelpText('after', '\nExample:\n  npx corner events verify\n')
  .action(async (options: ConnectionOptions & { json?: true }) => {
    await using platform = await connectToServices(options);
    const verified = await verifyEvents(platform);
    const output = standardOutput();
    if (options.json) output.json({ verified });
    else for (const one of verified) output.write(linesOf(output, one));
    if (verified.some(({ differences, fault }) => differences.length > 0 || fault !== null)) process.exitCode = 1;
  });

export const eventsCommand = new Command('events')
  .description('Shows that no event is missing, from database to database.')
  .addHelpText('after', '\nExample:\n  npx corner events verify\n')
  .addCommand(verifyCommand);

function linesOf(output: Output, { producer, consumer, last, events, differences, recorded, fault }: VerifiedEvents): string {
  const pair = `${producer} → ${consumer}`.padEnd(26);
  if (fault !== null) return `  ${red(output, 'no')}  ${pair}${fault}\n`;
  const lost = recorded?.lost ?? [];
  const notes = [
    ...lost.map(
      ({ from, to, before, noticed_at }) =>
        `        ${from} to ${to} were never processed: the outbox no longer kept them at ${noticed_at}${before === null ? '' : ` (published before ${before})`}\n`,
    ),
    ...(recorded?.unknown
      ? [`        ${recorded.unknown} processed events are unknown to ${producer}, whose database was restored\n`]
      : []),
  ].join('');
  if (differences.length === 0) return `  ${green(output, 'ok')}  ${pair}${events} events, the same up to number ${last}\n${notes}`;
  const ranges = differences
    .map(({ from, to, published, processed }) => `        ${from} to ${to}: ${published} published, ${processed} processed\n`)
    .join('');
  return `  ${red(output, 'no')}  ${pair}differs in ${differences.length} of the ranges up to number ${last}\n${ranges}${notes}`;
}
