import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { type PublicEvent, publicEvents, webhookBodyOf, webhookTest } from '../src/index.ts';
import { eventExample } from './examples.ts';

/** The requests that a webhook is sent, by the type of their event. */
export const webhooks = (): ZodOpenApiPathsObject =>
  Object.fromEntries(
    [...publicEvents, webhookTest].map((event) => [
      event.type,
      {
        post: {
          operationId: `on${event.type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          tags: ['Webhooks and events'],
          summary: event.summary,
          description: 'A webhook is sent it unless it asks for other types alone.',
          // The signature says who sends it.
          security: [],
          ...('event' in event && event.event.deprecated ? { deprecated: true } : {}),
          requestParams: { header: z.object(signature) },
          requestBody: {
            required: true,
            content: { 'application/json': { schema: webhookBodyOf(event), ...('event' in event ? exampleOf(event) : {}) } },
          },
          responses,
        },
      },
    ]),
  );

/** The body of an event that was recorded, when there is one. */
function exampleOf({ event, type, version, data }: PublicEvent) {
  const recorded = eventExample(event) as RecordedEvent | undefined;
  if (!recorded) return {};
  const { id: event_id, time: timestamp, storeid: store_id } = recorded;
  const shown = Object.fromEntries(Object.keys(data.shape).map((field) => [field, recorded.data[field]]));
  return { example: { type, version, timestamp, number: 1, webhook_id: someWebhook, store_id, event_id, data: shown } };
}

interface RecordedEvent {
  readonly id: string;
  readonly time: string;
  readonly storeid: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const someWebhook = '0190a000-0000-7000-8000-0000000000f1';

const header = (name: string, description: string) => z.string().meta({ param: { id: name, description } });

/** The headers of Standard Webhooks. */
const signature = {
  'webhook-id': header('webhook-id', 'The same at each attempt of the event.'),
  'webhook-timestamp': header('webhook-timestamp', 'When the attempt was made, in seconds since 1970.'),
  'webhook-signature': header(
    'webhook-signature',
    '`v1,` and a signature in Base64, as Standard Webhooks says; while a secret is replaced, two of them with a space between.',
  ),
};

const responses = {
  '2XX': { description: 'The event is delivered.' },
  '410': { description: 'Ends the webhook.' },
  default: { description: 'The event is sent again, for three days.' },
};
