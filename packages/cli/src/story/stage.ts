import { existsSync } from 'node:fs';
import {
  createIssuer,
  demoTokens,
  keyFileIn,
  people,
  type RunFile,
  readRunFile,
  runFileIn,
  simulatorKey,
  storyOrder,
} from '@corner/sandbox';
import { Failure } from '../failure.ts';
import { newTraceId } from './http-call.ts';

/** Where the story is told, and by whom. */
export interface Stage {
  /** Base address of the gateway. */
  readonly gateway: string;
  /** Base address of the payment simulator, or of Stripe. */
  readonly payments: string;
  readonly paymentsKey: string;
  /** Base address of the simulated far sides of messages; null where messages go elsewhere, and the story leaves them out. */
  readonly messages: string | null;
  readonly tokens: { readonly customer: string; readonly merchant: string; readonly staff: string };
  readonly customerId: string;
  /** Where messages reach the customer. */
  readonly addresses: readonly string[];
  readonly store: { readonly id: string; readonly code: string };
  /** What is ordered, and what it must cost in pence. */
  readonly items: readonly { readonly menu_item_id: string; readonly quantity: number }[];
  readonly totalPence: number;
  readonly traceId: string;
}

export interface StageOptions {
  readonly dataDir: string;
  /** Another description, in the shape of run.json, than the one in the data folder. */
  readonly run?: string;
  /** Addresses that take the place of those described. With both, no description is needed. */
  readonly gateway?: string;
  readonly payments?: string;
  readonly messages?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Seconds the story's own tokens live. */
const tokenSeconds = 10 * 60;

/** Where the demo's story is told: a running system with its demo directory. Throws a {@link Failure} when none is known. */
export async function stageOf(options: StageOptions): Promise<Stage> {
  const { dataDir, env } = options;
  const file = options.run ?? runFileIn(dataDir);
  const run = readRunFile(file);
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
    traceId: newTraceId(),
  };
}

/** Fresh tokens where the key is at hand, since those of a description may have run out; else those it holds. */
async function tokensFor({ dataDir, run: named, env }: StageOptions, run: RunFile | null): Promise<RunFile['tokens'] | undefined> {
  const keyFile = keyFileIn(dataDir);
  if (named === undefined && existsSync(keyFile)) return await demoTokens(await createIssuer({ keyFile, env }), tokenSeconds);
  return run?.tokens;
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');
