import { parseJson } from '@corner/chassis';
import { Problem, type ProviderMode } from '@corner/contracts';
import Stripe from 'stripe';
import { z } from 'zod';
import { calling } from '../provider/adapters.ts';
import { handledEventTypes, isAccountEvent, isHandledEvent, isPayoutEvent } from './rules.ts';

/** An event of the payment provider, with the id of the object it is about. `mode` is null when the event does not name one. */
export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  readonly objectId: string;
  readonly mode: ProviderMode | null;
}

export interface WebhookVerifier {
  /**
   * Verifies a webhook's signature over its raw body and reads the event. Null for an event to ignore: one of version 2 of the provider's
   * interface that is not about an account, or one of an unhandled type that names no object. Throws WEBHOOK_SIGNATURE_INVALID,
   * INVALID_JSON and VALIDATION_FAILED.
   */
  verify(body: Buffer, signature: string | undefined, now: Date): ProviderEvent | null;
}

/** The events the provider has kept: for 30 days, at Stripe. */
export interface ProviderEvents {
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
  livemode: z.boolean().optional(),
  data: z.object({ object: z.object({ id: name }) }),
});

const AccountEvent = z.object({
  object: z.literal('v2.core.event'),
  id: name,
  type: z.string().startsWith('v2.core.account'),
  livemode: z.boolean(),
  related_object: z.object({ id: name, type: z.literal('v2.core.account') }),
});

export const createWebhookVerifier = (stripe: Stripe, secrets: readonly string[]): WebhookVerifier => ({
  verify(body, signature, now) {
    if (!secrets.some((secret) => isSigned(stripe, { body, signature: signature ?? '', secret, now }))) {
      throw new Problem('WEBHOOK_SIGNATURE_INVALID');
    }
    const content = parseJson(body);
    if (content === undefined) throw new Problem('INVALID_JSON');
    const any = AnyEvent.safeParse(content);
    if (!any.success) throw new Problem('VALIDATION_FAILED', { message: 'The body must be an event of the payment provider.' });
    if (any.data.object !== 'event') return accountEventOf(content);
    const event = Event.safeParse(content);
    if (event.success) return eventOf(event.data);
    const { type } = content as { readonly type?: unknown };
    if (typeof type === 'string' && !isHandledEvent(type)) return null;
    const [issue] = event.error.issues;
    throw new Problem('VALIDATION_FAILED', { message: `body.${issue?.path.join('.')}: ${issue?.message}.` });
  },
});

/** An event of Accounts v2 names only its account. Null for any other event of that version of the interface. */
function accountEventOf(content: unknown): ProviderEvent | null {
  const event = AccountEvent.safeParse(content);
  if (!event.success) return null;
  const { id, livemode, related_object } = event.data;
  return { id, type: 'account.updated', objectId: related_object.id, mode: livemode ? 'live' : 'test' };
}

interface Signed {
  readonly body: Buffer;
  readonly signature: string;
  readonly secret: string;
  readonly now: Date;
}

/** The library accepts future timestamps, and fails on a header part without a value: both are checked here. */
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

const eventOf = ({ id, type, account, livemode, data }: z.output<typeof Event>): ProviderEvent => ({
  id,
  type,
  mode: livemode === undefined ? null : livemode ? 'live' : 'test',
  // A capability has only its kind as id, and payouts are read for a whole account: in both cases the account is the changed object.
  objectId: (isAccountEvent(type) || isPayoutEvent(type)) && account ? account : data.object.id,
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
