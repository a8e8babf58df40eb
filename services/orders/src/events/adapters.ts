import { Problem } from '@corner/contracts';
import Stripe from 'stripe';
import { z } from 'zod';
import { calling } from '../provider/adapters.ts';
import { handledEventTypes, isAccountEvent, isHandledEvent } from './rules.ts';

/** An event of the payment provider: its id, its type, and the id of the object it is about. */
export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  readonly objectId: string;
}

export interface WebhookVerifier {
  /**
   * Verifies a webhook's signature over its raw body and reads the event. Null for an event to ignore: of another generation of the
   * provider's interface, or of a type that changes nothing here and names no object. Throws WEBHOOK_SIGNATURE_INVALID,
   * INVALID_JSON and VALIDATION_FAILED.
   */
  verify(body: Buffer, signature: string | undefined, now: Date): ProviderEvent | null;
}

/** The events the provider has kept: for 30 days, at Stripe. */
export interface ProviderEvents {
  /** Reads all events of the handled types that were created in a span of time, both ends included. */
  eventsCreated(from: Date, to: Date): Promise<readonly ProviderEvent[]>;
}

/** How far a webhook's timestamp may be from our clock, either way, in seconds. */
const toleranceSeconds = 300;

const name = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters');
const AnyEvent = z.object({ object: z.string() });
const Event = z.object({
  id: name,
  type: name,
  account: name.nullish(),
  data: z.object({ object: z.object({ id: name }) }),
});

/** Verifies webhooks by the signing secrets, of which there are two while one is replaced. */
export const createWebhookVerifier = (stripe: Stripe, secrets: readonly string[]): WebhookVerifier => ({
  verify(body, signature, now) {
    if (!secrets.some((secret) => isSigned(stripe, { body, signature: signature ?? '', secret, now }))) {
      throw new Problem('WEBHOOK_SIGNATURE_INVALID');
    }
    const content = parseJson(body);
    const any = AnyEvent.safeParse(content);
    if (!any.success) throw new Problem('VALIDATION_FAILED', { message: 'The body must be an event of the payment provider.' });
    if (any.data.object !== 'event') return null;
    const event = Event.safeParse(content);
    if (event.success) return eventOf(event.data);
    const { type } = content as { readonly type?: unknown };
    if (typeof type === 'string' && !isHandledEvent(type)) return null;
    const [issue] = event.error.issues;
    throw new Problem('VALIDATION_FAILED', { message: `body.${issue?.path.join('.')}: ${issue?.message}.` });
  },
});

interface Signed {
  readonly body: Buffer;
  readonly signature: string;
  readonly secret: string;
  readonly now: Date;
}

/** The library accepts timestamps of the future, and fails on a part without a value: both are checked here. */
function isSigned({ webhooks }: Stripe, { body, signature: header, secret, now }: Signed): boolean {
  const scheme = webhooks.signature;
  if (!scheme) throw new Error('the library of the payment provider cannot verify signatures');
  const signature = header
    .split(',')
    .filter((part) => /^\w+=./.test(part))
    .join(',');
  try {
    scheme.verifyHeader(body, signature, secret, toleranceSeconds, undefined, now.getTime());
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
  const times = signature.split(',').flatMap((part) => (part.startsWith('t=') ? [Number.parseInt(part.slice(2), 10)] : []));
  return times.every((seconds) => seconds - Math.floor(now.getTime() / 1000) <= toleranceSeconds);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new Problem('INVALID_JSON', { cause: error });
  }
}

const eventOf = ({ id, type, account, data }: z.output<typeof Event>): ProviderEvent => ({
  id,
  type,
  // A capability is named by its kind alone; the account is what has changed.
  objectId: isAccountEvent(type) && account ? account : data.object.id,
});

export const createProviderEvents = (stripe: Stripe): ProviderEvents => ({
  eventsCreated: (from, to) =>
    calling(async () => {
      const found: ProviderEvent[] = [];
      const created = { gte: Math.floor(from.getTime() / 1000), lte: Math.ceil(to.getTime() / 1000) };
      for await (const listed of stripe.events.list({ created, types: [...handledEventTypes], limit: 100 })) {
        const event = Event.safeParse(listed);
        if (event.success) found.push(eventOf(event.data));
      }
      return found;
    }),
});
