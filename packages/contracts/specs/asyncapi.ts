import { z } from 'zod';
import { dataSchemaOf, Envelope, type EventContract, events, type Producer, subjectOf } from '../src/index.ts';
import { allowAdditionalProperties } from './allow-additional-properties.ts';

/** Every event as an AsyncAPI 3 document, with one channel for each subject. Data schemas are inlined, so the document has no references to them. */
export function asyncapi() {
  const published = events.flatMap((event) =>
    event.producers.map((producer) => ({ event, producer, name: `${producer}.${event.type}.v${event.version}` })),
  );
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Corner events',
      version: '1',
      description: 'CloudEvents 1.0 in structured JSON over NATS JetStream, one stream for each producer.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      published.map(({ event, producer, name }) => [
        name,
        {
          address: subjectOf(producer, event, '{storeId}'),
          description: event.summary,
          parameters: { storeId: { description: 'The store id, or `all` for an event that belongs to no single store.' } },
          messages: { [event.type]: message(event, producer) },
        },
      ]),
    ),
    operations: Object.fromEntries(
      published.map(({ event, name }) => [
        `publish ${name}`,
        { action: 'send', channel: { $ref: `#/channels/${pointer(name)}` }, summary: event.summary },
      ]),
    ),
  };
}

function message(event: EventContract, producer: Producer) {
  const envelope = Envelope.extend({
    source: z.literal(`/${producer}`),
    type: z.literal(event.type),
    dataschema: z.literal(dataSchemaOf(event)),
    data: event.data,
  });
  return { name: event.type, summary: event.summary, payload: schemaOf(envelope) };
}

/** The JSON Schema of an event's data. */
export const dataOf = (event: EventContract): Record<string, unknown> => schemaOf(event.data);

function schemaOf(type: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io: 'output',
    unrepresentable: 'any',
    reused: 'inline',
    override: allowAdditionalProperties,
  });
  return schema;
}

const pointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
