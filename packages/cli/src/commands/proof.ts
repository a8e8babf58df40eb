import { orders } from '@corner/contracts';
import { type Get, type ProvedLink, proveDays, proveWebhooks, verdictOf, verifyEvents } from '@corner/operator';
import { Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { type ConnectionOptions, connectToServices, withConnectionOptions } from '../operator/connect-to-services.ts';
import { Failure, Misuse } from '../screen/failure.ts';
import { green, type Output, red, standardOutput } from '../screen/output.ts';
import { readKeys } from './books.ts';

interface Options extends ConnectionOptions {
  readonly gateway: string;
  readonly keys: string;
  readonly from: string;
  readonly to: string;
  readonly withoutEvents?: true;
  readonly json?: true;
}

const what = 'nothing was proved';

export const proofCommand = withConnectionOptions(new Command('proof'))
  .description(
    'Proves in one list that nothing is missing from the tap to the bookkeeper: each outbox against the inboxes, each webhook of the store, each closed day. CORNER_TOKEN is a token of someone who manages the store. Exit code 1 when anything is missing or was changed.',
  )
  .argument('<store>', 'the store’s code or id')
  .requiredOption('--from <day>', 'the first day, such as 2026-11-01', parseDay)
  .requiredOption('--to <day>', 'the last day', parseDay)
  .requiredOption('--gateway <address>', 'the address of the gateway')
  .requiredOption('--keys <place>', 'the public keys of closed days: a file that you kept, or the address of readBookKeys')
  .option('--without-events', 'do not compare outboxes with inboxes, which takes an operator’s connection to NATS')
  .addHelpText(
    'after',
    '\nExample:\n  CORNER_TOKEN=… npx corner proof S1 --from 2026-11-01 --to 2026-11-27 --gateway https://api.example.com --keys keys.json\n',
  )
  .action(async (store: string, options: Options) => {
    const { gateway, from, to, withoutEvents } = options;
    const keys = await readKeys(options.keys);
    const token = process.env.CORNER_TOKEN;
    if (!token) throw new Misuse(what, 'CORNER_TOKEN is not set: it is a token of someone who manages the store');
    const get = getterOf(gateway, { Authorization: `Bearer ${token}` });
    const storeId = await idOf(store, getterOf(gateway, {}));
    const links = [
      ...(withoutEvents ? [] : await compareEvents(options)),
      ...(await proveWebhooks(get, storeId)),
      await proveDays(get, { storeId, from, to }, keys),
    ];
    const state = verdictOf(links);
    const output = standardOutput();
    const at = new Date().toISOString();
    if (options.json) output.json({ store_id: storeId, from, to, complete: state !== 'not_complete', state, at, links });
    else output.write(`${links.map((link) => linesOf(output, link)).join('')}  ${verdicts[state](at)}\n`);
    if (state === 'not_complete') process.exitCode = 1;
  });

const verdicts: Readonly<Record<ProvedLink['state'], (at: string) => string>> = {
  complete: (at) => `complete, proved at ${at}`,
  so_far: (at) => `complete so far, proved at ${at}`,
  nothing_yet: () => 'nothing to prove yet',
  not_complete: () => 'not complete',
};

function parseDay(text: string): string {
  if (!z.iso.date().safeParse(text).success) throw new InvalidArgumentError('Write a day such as 2026-11-01.');
  return text;
}

function getterOf(gateway: string, headers: Readonly<Record<string, string>>): Get {
  return async (path) => {
    const response = await fetch(new URL(path, gateway), { headers }).catch((cause: unknown) => {
      throw new Failure(what, `${gateway} cannot be reached`, 'name the address of the gateway', { cause });
    });
    const text = await response.text();
    if (!response.ok)
      throw new Failure(
        what,
        `${path.split('?')[0]} was refused with ${response.status}: ${text.slice(0, 300)}`,
        'use a token of someone who manages the store',
      );
    return text;
  };
}

async function idOf(store: string, get: Get): Promise<string> {
  if (z.guid().safeParse(store).success) return store.toLowerCase();
  const { stores } = orders.listStores.reply.parse(JSON.parse(await get(`/api/v1/orders/stores?code=${encodeURIComponent(store)}`)));
  const [found, another] = stores;
  if (!found || another)
    throw new Failure(what, `${found ? 'several stores have' : 'no store has'} the code ${store}`, 'name the store by its id');
  return found.id;
}

async function compareEvents(options: ConnectionOptions): Promise<ProvedLink[]> {
  await using platform = await connectToServices(options);
  return (await verifyEvents(platform)).map(({ producer, consumer, events, last, differences, fault }) => {
    const differ = differences.map(
      ({ from, to, published, processed }) => `${from} to ${to}: ${published} published, ${processed} processed`,
    );
    const faults = [...(fault === null ? [] : [fault]), ...differ];
    return {
      link: `${producer} → ${consumer}`,
      found: `${events} events, up to number ${last}`,
      faults,
      state: faults.length > 0 ? 'not_complete' : 'complete',
    };
  });
}

const linesOf = (output: Output, { link, found, faults }: ProvedLink): string =>
  faults.length === 0
    ? `  ${green(output, 'ok')}  ${link}: ${found}\n`
    : `  ${red(output, 'no')}  ${link}: ${found}\n${faults.map((fault) => `        ${fault}\n`).join('')}`;
