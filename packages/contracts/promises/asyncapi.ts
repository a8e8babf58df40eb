import { z } from 'zod';
import { dataSchemaOf, type EventContract, events, subjectOf } from '../src/index.ts';

/** Every event as AsyncAPI 3, one channel for each subject, the data schema inlined so that no reference can dangle. */
export function asyncapi() {
  const told = events.flatMap((event) =>
    event.tellers.map((teller) => ({ event, teller, name: `${teller}.${event.type}.v${event.version}` })),
  );
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Corner events',
      version: '1',
      description: 'CloudEvents 1.0 in structured JSON over NATS JetStream, one stream for each teller.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      told.map(({ event, teller, name }) => [
        name,
        {
          address: subjectOf(teller, event, '{storeId}'),
          description: event.summary,
          parameters: { storeId: { description: 'The store, or `all` for an event of no one store.' } },
          messages: { [event.type]: message(event, teller) },
        },
      ]),
    ),
    operations: Object.fromEntries(
      told.map(({ event, name }) => [
        `tell ${name}`,
        { action: 'send', channel: { $ref: `#/channels/${pointer(name)}` }, summary: event.summary },
      ]),
    ),
  };
}

function message(event: EventContract, teller: string) {
  return {
    name: event.type,
    summary: event.summary,
    payload: {
      type: 'object',
      required: ['specversion', 'id', 'source', 'type', 'dataschema', 'subject', 'time', 'datacontenttype', 'sequence', 'data'],
      properties: {
        specversion: { const: '1.0' },
        id: { type: 'string', format: 'uuid' },
        source: { const: `/${teller}` },
        type: { const: event.type },
        dataschema: { const: dataSchemaOf(event) },
        subject: { type: 'string', description: 'The aggregate.' },
        time: { type: 'string', format: 'date-time' },
        datacontenttype: { const: 'application/json' },
        storeid: { type: 'string' },
        customerid: { type: 'string' },
        sequence: { type: 'integer', description: 'Place in the aggregate’s own history.' },
        correlationid: { type: 'string' },
        causationid: { type: 'string' },
        traceparent: { type: 'string' },
        data: dataOf(event),
      },
    },
  };
}

/** The JSON Schema of an event's data. */
export function dataOf(event: EventContract): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(event.data, { io: 'output', unrepresentable: 'any' });
  return schema;
}

const pointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
