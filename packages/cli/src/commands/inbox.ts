import { setTimeout as pause } from 'node:timers/promises';
import { type RunFile, readRunFile, runFileIn } from '@corner/sandbox';
import { Command } from 'commander';
import { dataFolder, withDataFolder } from '../data-folder.ts';
import { Failure } from '../failure.ts';
import { type InboxMessage, InboxMessages, inboxAddress, lineOfMessage, plain } from '../inbox-messages.ts';
import { faint, type Output, standardOutput } from '../output.ts';
import { untilStopRequested } from '../until-stop-requested.ts';

/** Milliseconds between two looks with --follow. */
const lookEveryMs = 500;

interface InboxOptions {
  readonly data: string;
  readonly messages?: string;
  readonly to?: string;
  readonly follow?: true;
  readonly json?: true;
}

/** `corner inbox`: what customers were sent, as the simulated far sides received it. */
export const inboxCommand = withDataFolder(new Command('inbox'))
  .description(
    'Lists the mails and pushes that were sent, in order of arrival. The same is a page, at the address that corner start shows.',
  )
  .option('--to <customer>', 'only those to a customer, by name or id, or to one address or device')
  .option('--follow', 'stay, and show what arrives, until Ctrl-C')
  .option('--messages <address>', 'another place of messages than the description of the running system names')
  .option('--json', 'print them as JSON; with --follow one a line')
  .addHelpText('after', '\nExamples:\n  npx corner inbox --to Ana\n  npx corner inbox --follow\n')
  .action(async (options: InboxOptions) => {
    const run = readRunFile(runFileIn(dataFolder(options)));
    const base = options.messages ?? run?.messages;
    if (!base)
      throw new Failure('there is no inbox', 'no running system is described that shows one', 'npm start, or name one: --messages');
    const to = options.to === undefined ? [] : addressesOf(options.to, run);
    const output = standardOutput();
    const lineOf = (message: InboxMessage) => (options.json ? `${JSON.stringify(message)}\n` : linesOf(message, run, output));
    if (options.follow) {
      for await (const message of arriving(base, to)) output.write(lineOf(message));
      return;
    }
    const messages = await look(base, to, 0);
    if (options.json) output.json(messages);
    else output.write(messages.length === 0 ? '  Nothing has arrived.\n' : messages.map(lineOf).join(''));
  });

/** A customer's addresses, or what was named itself when it is no customer. */
function addressesOf(who: string, run: RunFile | null): readonly string[] {
  const named = run?.customers.find(({ id, name }) => id === who.toLowerCase() || name.toLowerCase() === who.toLowerCase());
  if (named && named.addresses.length === 0)
    throw new Failure(`nothing can reach ${named.name}`, 'the directory knows neither a mail address nor a device', 'npx corner inbox');
  return named?.addresses ?? [who];
}

/** What is there, and then what arrives, until somebody tells us to stop. */
async function* arriving(base: string, to: readonly string[]): AsyncGenerator<InboxMessage> {
  const { signal } = untilStopRequested();
  for (let after = 0; !signal.aborted; await pause(lookEveryMs, undefined, { signal }).catch(() => {})) {
    const messages = await look(base, to, after);
    yield* messages;
    after = messages.at(-1)?.n ?? after;
  }
}

async function look(base: string, to: readonly string[], after: number): Promise<readonly InboxMessage[]> {
  try {
    const response = await fetch(inboxAddress(base, { to, after }), { signal: AbortSignal.timeout(5_000) });
    return InboxMessages.parse(await response.json());
  } catch (error) {
    throw new Failure('the inbox cannot be read', `nothing at ${base} answers as one`, 'npx corner status', { cause: error });
  }
}

/** Two lines: when, by what and to whom; then the text. */
function linesOf(message: InboxMessage, run: RunFile | null, output: Output): string {
  const name = run?.customers.find(({ addresses }) => addresses.includes(message.to))?.name ?? plain(message.to);
  return `  ${lineOfMessage(message)}\n  ${faint(output, `          to ${name}: ${plain(message.text)}`)}\n`;
}
