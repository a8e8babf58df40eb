import { existsSync } from 'node:fs';
import { type RunFile, readRunFile, runFileIn } from '@corner/operator';
import { demoTokens, people, storyOrder } from '@corner/sandbox/demo';
import { createIssuer } from '@corner/sandbox/issuer';
import { keyFileIn, simulatorKey } from '@corner/sandbox/system';
import { Failure } from '../../screen/failure.ts';
import { newTraceId } from './http-call.ts';

export interface StorySetting {
  readonly gateway: string;
  readonly payments: string;
  readonly paymentsKey: string;
  /** Null when messages are sent elsewhere; the story then does not check them. */
  readonly messages: string | null;
  readonly tokens: { readonly customer: string; readonly merchant: string; readonly staff: string };
  readonly customerId: string;
  readonly addresses: readonly string[];
  readonly store: { readonly id: string; readonly code: string };
  readonly items: readonly { readonly menu_item_id: string; readonly quantity: number }[];
  readonly totalPence: number;
  readonly currency: string;
  readonly traceId: string;
}

export interface StoryOptions {
  readonly dataDir: string;
  readonly run?: string;
  readonly gateway?: string;
  readonly payments?: string;
  readonly messages?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const tokenSeconds = 10 * 60;

export async function prepareStory(options: StoryOptions): Promise<StorySetting> {
  const { dataDir, env } = options;
  for (const name of ['gateway', 'payments', 'messages'] as const) checkAddress(name, options[name]);
  const file = options.run ?? runFileIn(dataDir);
  const run = describedIn(file);
  const gateway = options.gateway ?? run?.gateway;
  const tokens = await tokensFor(options, run);
  if (!gateway || !tokens) {
    throw new Failure(
      'there is nothing to try',
      `no running system is described in ${file}`,
      'npm start, or name one: --run, or --gateway with --payments',
    );
  }
  const messages = options.messages ?? (options.gateway === undefined ? run?.messages : undefined) ?? null;
  const payments = options.payments ?? run?.payments ?? env.STRIPE_API_BASE ?? 'https://api.stripe.com';
  return {
    gateway: withoutSlash(gateway),
    payments: withoutSlash(payments),
    paymentsKey: env.STRIPE_SECRET_KEY ?? simulatorKey,
    messages: messages && withoutSlash(messages),
    tokens: { customer: tokens.ana, merchant: tokens.bo, staff: tokens.cy },
    customerId: people.ana.id,
    addresses: people.ana.addresses,
    store: storyOrder.store,
    items: storyOrder.items,
    totalPence: storyOrder.totalPence,
    currency: storyOrder.currency,
    traceId: newTraceId(),
  };
}

function describedIn(file: string): RunFile | null {
  try {
    return readRunFile(file);
  } catch (cause) {
    throw new Failure('there is nothing to try', (cause as Error).message, 'name another file: --run', { cause });
  }
}

function checkAddress(name: string, address: string | undefined): void {
  if (address !== undefined && !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    throw new Failure('there is nothing to try', `--${name} ${address} is no address`, `one like --${name} http://localhost:4000`);
}

async function tokensFor({ dataDir, run: named, env }: StoryOptions, run: RunFile | null): Promise<RunFile['tokens'] | undefined> {
  const keyFile = keyFileIn(dataDir);
  if (named === undefined && existsSync(keyFile)) return await demoTokens(await createIssuer({ keyFile, env }), tokenSeconds);
  return run?.tokens;
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');
