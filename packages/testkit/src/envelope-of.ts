import { randomUUID } from 'node:crypto';
import { type DataInputOf, dataSchemaOf, type Envelope, type EventContract } from '@corner/contracts';

export function envelopeOf<E extends EventContract>(event: E, data: DataInputOf<E>, about: AboutEvent): Envelope {
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: `/${event.producers[0] ?? 'directory'}`,
    type: event.type,
    dataschema: dataSchemaOf(event),
    subject: about.aggregateId,
    time: about.at ?? '2026-05-01T12:00:00.000000Z',
    datacontenttype: 'application/json',
    ...(about.storeId ? { storeid: about.storeId } : {}),
    ...(about.customerId ? { customerid: about.customerId } : {}),
    sequence: about.sequence ?? 1,
    data,
  };
}

export interface AboutEvent {
  readonly aggregateId: string;
  readonly sequence?: number;
  readonly storeId?: string;
  readonly customerId?: string;
  readonly at?: string;
}
