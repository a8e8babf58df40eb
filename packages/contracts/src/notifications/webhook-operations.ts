import { z } from 'zod';
import { defineOperation, manager, merchant, orPartner, owner } from '../operation.ts';
import { isPlainLine, notAPlainLine } from '../typed/plain.ts';
import { Instant, queryInteger, StoreId } from '../vocabulary.ts';
import { publicEventTypes } from './public-events.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const someWebhook = '0190a000-0000-7000-8000-0000000000f1';
const service = 'notifications';
const webhooks = '/api/v1/notifications/stores/{store_id}/webhooks';
const one = `${webhooks}/{webhook_id}` as const;
const extension = true;
const WebhookId = z.guid('must be a UUID').toLowerCase().meta({ description: 'The webhook.' });
const ofStore = z.object({ store_id: StoreId });
const ofWebhook = ofStore.extend({ webhook_id: WebhookId });
const fields = {
  url: z
    .string()
    .trim()
    .min(1)
    .max(1024)
    .nullable()
    .describe('Where events are sent: an https address on the internet. Null: nothing is sent, and the events are read with listEvents.'),
  types: z
    .array(z.enum(publicEventTypes as [string, ...string[]]))
    .max(publicEventTypes.length)
    .describe('The types of events that it gets. Empty: all of them, also those that are added later.'),
  description: z
    .string()
    .trim()
    .max(128)
    .refine(isPlainLine, { error: notAPlainLine })
    .describe('What people call it, for example Bookkeeping.'),
};
const number = z.int().min(0);
const Secret = z
  .string()
  .describe(
    'The secret of its signatures, for a library of Standard Webhooks. It is shown only here; a repeat with the same Idempotency-Key shows it again.',
  );

export const webhookStates = ['unconfirmed', 'active', 'failing', 'ended'] as const;
export const Webhook = z
  .object({
    id: WebhookId,
    ...fields,
    state: z
      .enum(webhookStates)
      .describe(
        '`unconfirmed`: its receiver has not sent the challenge back and is sent no events; they wait. `failing`: its last attempt failed, and it is tried again. `ended`: someone ended it, or its receiver responded 410; it gets no numbers any more.',
      ),
    last_number: number.describe('The number of its newest event; 0 before the first.'),
    waiting: z.int().describe('Events that are still to be delivered; of one that has ended, those that its end left.'),
    dead: z.int().describe('Events that were not delivered within three days. They can be repeated.'),
    old_secret_until: Instant.nullable().describe('Until when requests are signed with the secret before, too. Null when it is not so.'),
    created_at: Instant,
    ended_at: Instant.nullable(),
  })
  .meta({ id: 'Webhook', description: 'Where a store’s events are sent.' });

export const createWebhook = defineOperation({
  name: 'createWebhook',
  service,
  method: 'POST',
  path: webhooks,
  summary: 'Create a webhook.',
  description:
    'Its receiver is asked first: it is sent a `webhook.challenge`, and agrees by a response of 2xx whose body is the value of data.challenge, as text or as the field `challenge` of a JSON object. It cannot check the signature before it knows the secret; challengeWebhook asks again. Until it agrees the webhook is `unconfirmed` and its events wait. Each event of the store from now on gets the webhook’s next number and is sent to its address: signed as Standard Webhooks says, in the order of each object (an order, a card, a place in the queue), for three days until a response of 2xx. A response of 410 ends it. No redirection is followed, and no address within a private network is called. A store has ten at most.',
  caller: owner,
  params: ofStore,
  body: z.object({ url: fields.url.default(null), types: fields.types.default([]), description: fields.description.default('') }),
  reply: z.object({ webhook: Webhook, secret: Secret }),
  problems: ['STORE_NOT_FOUND', 'WEBHOOK_ADDRESS_REFUSED', 'TOO_MANY_WEBHOOKS', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  unstored: true,
  extension,
  example: { params: { store_id: demoStore }, body: { url: null, types: ['order.paid', 'order.refunded'], description: 'Bookkeeping' } },
});

export const listWebhooks = defineOperation({
  name: 'listWebhooks',
  service,
  method: 'GET',
  path: webhooks,
  summary: 'List the webhooks of a store.',
  description: 'Those that have not ended first, then by age. One that ended is listed for thirty days.',
  caller: manager,
  params: ofStore,
  reply: z.object({ webhooks: z.array(Webhook) }),
  problems: ['INSUFFICIENT_ROLE'],
  replay: 'none',
  extension,
  example: { params: { store_id: demoStore } },
});

export const updateWebhook = defineOperation({
  name: 'updateWebhook',
  service,
  method: 'PATCH',
  path: one,
  summary: 'Change a webhook.',
  description:
    'What is absent stays. Numbers go on. The receiver of another address is asked as a new one is, and is then sent all that waits; so is that of one that has ended. One that has ended is active again; the events in between have no number at it.',
  caller: owner,
  params: ofWebhook,
  body: z
    .object({ url: fields.url.optional(), types: fields.types.optional(), description: fields.description.optional() })
    .refine((changes) => Object.values(changes).some((value) => value !== undefined), 'must change something'),
  reply: z.object({ webhook: Webhook }),
  problems: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_ADDRESS_REFUSED', 'TOO_MANY_WEBHOOKS', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  extension,
  example: { params: { store_id: demoStore, webhook_id: someWebhook }, body: { types: [] } },
});

export const endWebhook = defineOperation({
  name: 'endWebhook',
  service,
  method: 'DELETE',
  path: one,
  summary: 'End a webhook.',
  description: 'Nothing more is sent, and no event gets a number. Its events can be read for thirty days. A repeat changes nothing.',
  caller: owner,
  params: ofWebhook,
  reply: z.object({ webhook: Webhook }),
  problems: ['WEBHOOK_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  extension,
  example: { params: { store_id: demoStore, webhook_id: someWebhook } },
});

export const rotateWebhookSecret = defineOperation({
  name: 'rotateWebhookSecret',
  service,
  method: 'POST',
  path: `${one}/rotate-secret`,
  summary: 'Replace the secret of a webhook.',
  description: 'For a day, requests are signed with both secrets, so that a receiver can change over without losing an event.',
  caller: owner,
  params: ofWebhook,
  reply: z.object({ webhook: Webhook, secret: Secret }),
  problems: ['WEBHOOK_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  unstored: true,
  extension,
  example: { params: { store_id: demoStore, webhook_id: someWebhook } },
});

export const testWebhook = defineOperation({
  name: 'testWebhook',
  service,
  method: 'POST',
  path: `${one}/test`,
  summary: 'Send a test event to a webhook.',
  description:
    'An event of the type webhook.test gets the next number and goes the way of all others. listEvents shows what the receiver responded.',
  caller: manager,
  params: ofWebhook,
  reply: z.object({ event_id: z.guid().describe('The event.') }),
  problems: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_ENDED', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  limits: [{ by: 'principal', limit: 10, windowSeconds: 60 }],
  extension,
  example: { params: { store_id: demoStore, webhook_id: someWebhook } },
});

export const challengeWebhook = defineOperation({
  name: 'challengeWebhook',
  service,
  method: 'POST',
  path: `${one}/challenge`,
  summary: 'Ask a webhook’s receiver again whether it wants events.',
  description:
    'It is sent a `webhook.challenge`, as when the webhook was made. One that is confirmed is not asked. A host is asked ten times in a minute at most, over all stores.',
  caller: manager,
  params: ofWebhook,
  reply: z.object({
    webhook: Webhook,
    response: z
      .object({
        status: z.int().nullable().describe('The status of the response. Null before one.'),
        detail: z.string().describe('The beginning of the response, or why there was none.'),
      })
      .nullable()
      .describe('What the receiver responded. Null when it was not asked.'),
  }),
  problems: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_ENDED', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  limits: [{ by: 'principal', limit: 10, windowSeconds: 60 }],
  extension,
  example: { params: { store_id: demoStore, webhook_id: someWebhook } },
});

export const repeatWebhookEvent = defineOperation({
  name: 'repeatWebhookEvent',
  service,
  method: 'POST',
  path: `${one}/events/{number}/repeat`,
  summary: 'Send an event of a webhook again.',
  description:
    'It is sent under the same number and id, for three days again, although later events of its object may have been delivered.',
  caller: manager,
  params: ofWebhook.extend({
    number: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, 'must be a number of an event')
      .describe('The event’s number.'),
  }),
  reply: z.object({ number: number.describe('The event’s number.') }),
  problems: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_EVENT_NOT_FOUND', 'WEBHOOK_ENDED', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  extension,
  example: { params: { store_id: demoStore, webhook_id: someWebhook, number: '1' } },
});

export const deliveryStates = ['pending', 'delivered', 'dead'] as const;
const NumberedEvent = z
  .object({
    number: number.describe('Its number at the webhook.'),
    id: z.string().describe('The webhook-id of its requests: the webhook’s id, an underscore and the number.'),
    type: z.string(),
    payload: z.string().describe('The body of its requests, byte for byte: JSON, as WebhookPayload.'),
    delivery: z.object({
      state: z.enum(deliveryStates).describe('`dead`: not delivered within three days; it can be repeated.'),
      attempts: z.int(),
      next_attempt_at: Instant.nullable().describe('Null when none will be made.'),
      delivered_at: Instant.nullable(),
      status: z.int().nullable().describe('The status of the last response. Null before one.'),
      detail: z.string().nullable().describe('The beginning of the last response, or why there was none. Null before an attempt.'),
    }),
  })
  .meta({ id: 'WebhookEvent', description: 'An event of a webhook, and what became of it.' });

export const listEvents = defineOperation({
  name: 'listEvents',
  service,
  method: 'GET',
  path: '/api/v1/events',
  summary: 'Read the events of a webhook.',
  description:
    'In the order of their numbers, from the one after `after`: what a receiver has missed, or all, for a system that asks instead of being called. Events are kept for thirty days; first_number says where they begin.',
  caller: orPartner(merchant, 'events:read'),
  query: z.object({
    store_id: StoreId,
    webhook_id: WebhookId,
    after: queryInteger(number.max(Number.MAX_SAFE_INTEGER).default(0)).describe('The last number that the receiver has.'),
    limit: queryInteger(z.int().min(1).max(500).default(100)).describe('Events in a page.'),
    state: z.enum(deliveryStates).optional().describe('Only events whose delivery is in this state.'),
  }),
  reply: z.object({
    events: z.array(NumberedEvent),
    first_number: number.describe('The lowest number that is kept. One above last_number when none is.'),
    last_number: number.describe('The highest number. Equal to `after`: the receiver has all there is.'),
  }),
  problems: ['WEBHOOK_NOT_FOUND'],
  replay: 'none',
  extension,
  example: { query: { store_id: demoStore, webhook_id: someWebhook, after: 0 } },
});

/** Numbers that one digest covers at most. */
export const longestDigest = 100_000;

export const readEventsDigest = defineOperation({
  name: 'readEventsDigest',
  service,
  method: 'GET',
  path: '/api/v1/events/digest',
  summary: 'Read the count and hash of a webhook’s events.',
  description:
    'A receiver with the same count and hash has every event of the range, unchanged. The hash is SHA-256, in hex, over a line for each event in the order of numbers: the number, a space, the SHA-256 of the body in hex, and a line feed. The signature covers `id.timestamp.body` of this digest as of a request of Standard Webhooks, with the webhook’s secret.',
  caller: orPartner(merchant, 'events:read'),
  query: z.object({
    store_id: StoreId,
    webhook_id: WebhookId,
    from: queryInteger(z.int().min(1).max(Number.MAX_SAFE_INTEGER)).describe('The first number.'),
    to: queryInteger(z.int().min(1).max(Number.MAX_SAFE_INTEGER)).describe('The last number: at most 99,999 more than the first.'),
  }),
  reply: z.object({
    webhook_id: WebhookId,
    from: number,
    to: number,
    count: z.int().describe('Events that there are in the range.'),
    hash: z.string().describe('The hash of these events.'),
    signed: z
      .object({
        body: z.string().describe('`webhook_id:from:to:count:hash`.'),
        id: z.string(),
        timestamp: z.string().describe('Seconds since 1970.'),
        signature: z.string().describe('As in the header webhook-signature.'),
      })
      .describe('The same, signed.'),
  }),
  problems: ['WEBHOOK_NOT_FOUND', 'EVENTS_NOT_KEPT'],
  replay: 'none',
  extension,
  example: { query: { store_id: demoStore, webhook_id: someWebhook, from: 1, to: 1 } },
});
