import { z } from 'zod';
import {
  consumersOf,
  dataSchemaOf,
  describeDeprecation,
  Envelope,
  type EventContract,
  events,
  type Producer,
  subjectOf,
} from '../src/index.ts';
import { eventExample } from './examples.ts';

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
      description:
        'CloudEvents 1.0 in structured JSON over NATS JetStream, one stream for each producer. Events are kept for 7 days at least. Delivery is at least once: a repeat has the same id. For each subject of the envelope, sequence only increases; a redelivered event may arrive after a later one.',
    },
    servers: {
      development: { host: 'localhost:4223', protocol: 'nats', description: 'The server that `npm start` starts; it prints the port.' },
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      published.map(({ event, producer, name }) => [
        name,
        {
          address: subjectOf(producer, event, producer === 'directory' ? '{objectId}' : '{storeId}'),
          description: [event.summary, event.deprecated ? describeDeprecation(event.deprecated) : [], receiversOf(event)].flat().join(' '),
          parameters:
            producer === 'directory'
              ? { objectId: { description: 'The id of the object, which `subject` of the envelope has too.' } }
              : { storeId: { description: 'The store id, or `all` for an event that belongs to no single store.' } },
          messages: { [event.type]: message(event, producer) },
        },
      ]),
    ),
    operations: Object.fromEntries(
      published.flatMap(({ event, producer, name }) => {
        const channel = { $ref: `#/channels/${pointer(name)}` };
        const sent = [`${producer} publishes ${name}`, { action: 'send', channel, summary: event.summary }];
        const received = consumersOf(event).map((consumer) => [
          `${consumer} receives ${name}`,
          { action: 'receive', channel, summary: `The service ${consumer} handles it.` },
        ]);
        return [sent, ...received];
      }),
    ),
  };
}

/** Describes who receives an event. */
export function receiversOf(event: EventContract): string {
  const services = consumersOf(event);
  return services.length > 0 ? `Received by ${services.join(', ')}.` : 'No service of Corner receives it; it is for others.';
}

function message(event: EventContract, producer: Producer) {
  const envelope = Envelope.extend({
    source: z.literal(`/${producer}`),
    type: z.literal(event.type),
    dataschema: z.literal(dataSchemaOf(event)),
    data: event.data,
  });
  const example = eventExample(event);
  return {
    name: event.type,
    summary: event.summary,
    payload: schemaOf(envelope),
    ...(example ? { examples: [{ payload: example }] } : {}),
  };
}

/** The JSON Schema of an event's data, with an example where one was recorded. */
export function dataOf(event: EventContract): Record<string, unknown> {
  const example = eventExample(event);
  return { ...schemaOf(event.data), ...(event.deprecated ? { deprecated: true } : {}), ...(example ? { examples: [example.data] } : {}) };
}

function schemaOf(type: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io: 'output',
    unrepresentable: 'any',
    reused: 'inline',
    override: allowAdditionalProperties,
  });
  return schema;
}

/**
 * Removes `additionalProperties: false` from a JSON Schema. Replies and events may gain fields within a version, so a
 * reader must accept fields it does not know.
 */
export function allowAdditionalProperties({ jsonSchema }: { readonly jsonSchema: OverriddenSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

interface OverriddenSchema {
  additionalProperties?: unknown;
  format?: string | undefined;
  pattern?: string | undefined;
}

const pointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
