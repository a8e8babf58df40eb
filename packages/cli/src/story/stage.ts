import { existsSync } from 'node:fs';
import { createIssuer, demoTokens, keyFileIn, people, readRunFile, runFileIn, simulatorKey, storyOrder } from '@corner/sandbox';
import { Failure } from '../failure.ts';
import { newTraceId } from './http-call.ts';

/** Where the story is told, and by whom. */
export interface Stage {
  /** Base address of the gateway. */
  readonly gateway: string;
  /** Base address of the payment simulator, or of Stripe. */
  readonly payments: string;
  readonly paymentsKey: string;
  readonly tokens: { readonly customer: string; readonly merchant: string; readonly staff: string };
  readonly customerId: string;
  readonly store: { readonly id: string; readonly code: string };
  /** What is ordered, and what it must cost in pence. */
  readonly items: readonly { readonly menu_item_id: string; readonly quantity: number }[];
  readonly totalPence: number;
  readonly traceId: string;
}

export interface StageOptions {
  readonly dataDir: string;
  /** A description in the shape of run.json; the one in the data folder when absent. */
  readonly run?: string;
  /** Addresses that take the place of those described. */
  readonly gateway?: string;
  readonly payments?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Seconds the story's own tokens live. */
const tokenSeconds = 10 * 60;

/** Where the demo's story is told: a running system and its demo directory. Throws a {@link Failure} when none is known. */
export async function stageOf({ dataDir, run: file = runFileIn(dataDir), gateway, payments, env }: StageOptions): Promise<Stage> {
  const run = readRunFile(file);
  if (!run) throw new Failure('there is nothing to try', `no running system is described in ${file}`, 'npm start');
  // Tokens of the description may have run out; with the key at hand fresh ones cost nothing.
  const keyFile = keyFileIn(dataDir);
  const own = file === runFileIn(dataDir) && existsSync(keyFile);
  const tokens = own ? await demoTokens(await createIssuer({ keyFile, env }), tokenSeconds) : run.tokens;
  const paymentsUrl = payments ?? run.payments;
  return {
    gateway: withoutSlash(gateway ?? run.gateway),
    payments: withoutSlash(paymentsUrl ?? env.STRIPE_API_BASE ?? 'https://api.stripe.com'),
    paymentsKey: env.STRIPE_SECRET_KEY ?? simulatorKey,
    tokens: { customer: tokens.ana, merchant: tokens.bo, staff: tokens.cy },
    customerId: people.ana.id,
    store: storyOrder.store,
    items: storyOrder.items,
    totalPence: storyOrder.totalPence,
    traceId: newTraceId(),
  };
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');
