import { setTimeout as pause } from 'node:timers/promises';
import { type RunFile, readRunFile, runFileIn } from '@corner/operator';
import { Command } from 'commander';
import { dataFolder, withDataFolder } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { faint, type Output, standardOutput } from '../../screen/output.ts';
import { type InboxMessage, InboxMessages, inboxAddress, lineOfMessage, plain } from '../inbox/inbox-messages.ts';
import { untilStopRequested } from '../system/until-stop-requested.ts';

const pollMs = 500;

interface InboxOptions {
  readonly data: string;
  readonly messages?: string;
  readonly to?: string;
  readonly follow?: true;
  readonly json?: true;
}

export const inboxCommand = withDataFolder(new Command('inbox'))
  .description(
    'Lists the emails, push messages and texts that were sent, in order of arrival. “corner start” prints the address of a page with the same content.',
  )
  .option('--to <customer>', 'only to this customer (name or id), address or device')
  .option('--follow', 'keep printing new messages until Ctrl-C')
  .option('--messages <address>', 'the simulated message providers, instead of those of the running system')
  .option('--json', 'print them as JSON; with --follow one per line')
  .addHelpText('after', '\nExamples:\n  npx corner inbox --to Ana\n  npx corner inbox --follow\n')
  .action(async (options: InboxOptions) => {
    const run = readRunFile(runFileIn(dataFolder(options)));
    const base = options.messages ?? run?.messages;
    if (!base) throw new Failure('there is no inbox', 'no running system with an inbox was found', 'npm start, or name one: --messages');
    const to = options.to === undefined ? [] : addressesOf(options.to, run);
    const output = standardOutput();
    const lineOf = (message: InboxMessage) => (options.json ? `${JSON.stringify(message)}\n` : linesOf(message, run, output));
    if (options.follow) {
      for await (const message of follow(base, to)) output.write(lineOf(message));
      return;
    }
    const messages = await readMessages(base, to, 0);
    if (options.json) output.json(messages);
    else output.write(messages.length === 0 ? '  Nothing has arrived.\n' : messages.map(lineOf).join(''));
  });

function addressesOf(recipient: string, run: RunFile | null): readonly string[] {
  const customer = run?.customers.find(({ id, name }) => id === recipient.toLowerCase() || name.toLowerCase() === recipient.toLowerCase());
  if (customer && customer.addresses.length === 0)
    throw new Failure(
      `${customer.name} receives no messages`,
      'the directory has no email address and no device for this customer',
      'npx corner inbox',
    );
  return customer?.addresses ?? [recipient];
}

async function* follow(base: string, to: readonly string[]): AsyncGenerator<InboxMessage> {
  const { signal } = untilStopRequested();
  for (let after = 0; !signal.aborted; await pause(pollMs, undefined, { signal }).catch(() => {})) {
    const messages = await readMessages(base, to, after);
    yield* messages;
    after = messages.at(-1)?.n ?? after;
  }
}

async function readMessages(base: string, to: readonly string[], after: number): Promise<readonly InboxMessage[]> {
  try {
    const response = await fetch(inboxAddress(base, { to, after }), { signal: AbortSignal.timeout(5_000) });
    return InboxMessages.parse(await response.json());
  } catch (error) {
    throw new Failure('the inbox cannot be read', `nothing at ${base} responds as an inbox`, 'npx corner status', { cause: error });
  }
}

function linesOf(message: InboxMessage, run: RunFile | null, output: Output): string {
  const name = run?.customers.find(({ addresses }) => addresses.includes(message.to))?.name ?? plain(message.to);
  const text = `to ${name}: ${message.text}`.trimEnd().split('\n');
  return `  ${lineOfMessage(message)}\n${text.map((line) => `            ${faint(output, plain(line))}`.trimEnd()).join('\n')}\n`;
}
