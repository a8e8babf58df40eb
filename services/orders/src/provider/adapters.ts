import { inSpan, measure, nameEntryPoints, peerAttributes, SpanKind } from '@corner/chassis';
import Stripe from 'stripe';
import { z } from 'zod';
import { createHttpClient } from './adapters/http-client.ts';
import type { KnownState } from './adapters/states.ts';
import { Declined, Unanswered } from './rules.ts';

export interface StripeOptions {
  readonly secretKey: string;
  readonly apiBase?: string | undefined;
  readonly timeoutMs: number;
}

export function createStripe({ secretKey, apiBase, timeoutMs }: StripeOptions): Stripe {
  const base = apiBase ? new URL(apiBase) : null;
  return new Stripe(secretKey, {
    httpClient: createHttpClient(),
    maxNetworkRetries: 2,
    timeout: timeoutMs,
    telemetry: false,
    ...(base
      ? {
          host: base.hostname,
          port: Number(base.port || (base.protocol === 'https:' ? 443 : 80)),
          protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
        }
      : {}),
  });
}

/**
 * Translates a refusal to {@link Declined}, and any other error to {@link Unanswered}, since its effect is uncertain. The library, and the
 * reading of an object, may fail with any error on an unexpected form.
 */
export async function calling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withoutCallSite(work);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError) {
      throw new Declined(error.message, error.code, error);
    }
    if (isBusy(error)) throw new Unanswered({ mayBeKept: false, cause: error, retryAfterSeconds: waitOf(error) });
    throw new Unanswered({ mayBeKept: mayBeKept(error), cause: error });
  }
}

/** Skips the stack trace that the SDK captures for each request: with source maps it costs more than the request. */
function withoutCallSite<T>(work: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A 429 means too many requests, or that another request holds the object's lock: this one had no effect. */
const isBusy = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeRateLimitError || (error instanceof Stripe.errors.StripeError && error.code === 'lock_timeout');

function waitOf({ headers }: Stripe.errors.StripeError): number {
  const seconds = Number(headers?.['retry-after']);
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, 60) : 2;
}

/**
 * Whether the provider may repeat an error under its key: a 5xx of its own, or the reuse of a key with other parameters. A 409 means only
 * that another request with the key is running. The SDK itself retries lost requests, and a 5xx unless a header marks it as kept.
 */
const mayBeKept = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeIdempotencyError || (error instanceof Stripe.errors.StripeAPIError && error.statusCode !== 409);

export async function orNull<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return null;
    throw error;
  }
}

export interface Intent {
  readonly id: string;
  readonly status: string;
  readonly clientSecret: string | null;
  readonly amountPence: number;
  readonly currency: string;
  readonly destination: string | null;
  readonly orderId: string | null;
  readonly chargeId: string | null;
}

export const Reference = z.union([z.string(), z.object({ id: z.string() })]).nullish();
const PaymentIntent = z.object({
  id: z.string(),
  status: z.string(),
  client_secret: z.string().nullish(),
  amount: z.int(),
  amount_received: z.int().nullish(),
  currency: z.string(),
  metadata: z.record(z.string(), z.string()),
  transfer_data: z.object({ destination: Reference }).nullish(),
  latest_charge: Reference,
});

const intentStates = [
  ...(['requires_payment_method', 'requires_confirmation', 'requires_action', 'processing', 'requires_capture'] as const),
  ...(['canceled', 'succeeded'] as const),
];

/**
 * Reads an intent. An intent in a state that is unknown here has succeeded when all its money was received. Throws when its form differs
 * from the provider's interface; so do the readers of other objects.
 */
export function intentOf(listed: Stripe.PaymentIntent, known: KnownState): Intent {
  const intent = PaymentIntent.parse(listed);
  const isReceived = (intent.amount_received ?? 0) >= intent.amount;
  return {
    id: intent.id,
    status: known('payment_intent', intentStates, intent.status) ?? (isReceived ? 'succeeded' : intent.status),
    clientSecret: intent.client_secret ?? null,
    amountPence: intent.amount,
    currency: intent.currency.toUpperCase(),
    destination: idOf(intent.transfer_data?.destination),
    orderId: intent.metadata.order_id ?? null,
    chargeId: idOf(intent.latest_charge),
  };
}

export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/**
 * Wraps an adapter of the payment provider: each call runs in its own span, and is timed and counted by its outcome. `server` is the
 * provider's address.
 */
export function watchCalls<Calls extends object>(adapter: Calls, server: string): Calls {
  nameEntryPoints('corner.call', Object.keys(adapter));
  const watched = Object.entries(adapter).map(([name, call]) => [
    name,
    (...given: never[]) => watch(name, server, () => (call as Call)(...given)),
  ]);
  return Object.fromEntries(watched) as Calls;
}

type Call = (...given: never[]) => Promise<unknown>;

async function watch<T>(name: string, server: string, call: () => Promise<T>): Promise<T> {
  const begunAt = performance.now();
  const attributes = { 'service.peer.name': 'payments', 'corner.call': name, ...peerAttributes(server) };
  let outcome = 'ok';
  try {
    return await inSpan(`payments ${name}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      try {
        return await call();
      } catch (error) {
        outcome = error instanceof Declined ? 'refused' : 'failed';
        span.setAttribute('error.type', outcome);
        throw error;
      } finally {
        span.setAttribute('corner.outcome', outcome);
      }
    });
  } finally {
    measure('corner.payments.call.duration', (performance.now() - begunAt) / 1000, { 'corner.call': name, 'corner.outcome': outcome });
  }
}
