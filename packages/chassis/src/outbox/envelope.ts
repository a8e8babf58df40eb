import { dataSchemaOf, type Envelope, type ServiceName, scopeOf, subjectOf } from '@corner/contracts';

/** Numbers of type bigint are strings. `time` is when the row was inserted: ISO 8601, UTC, microseconds. */
export interface OutboxRow {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly version: number;
  readonly aggregate_id: string;
  readonly aggregate_sequence: string;
  readonly store_id: string | null;
  readonly customer_id: string | null;
  readonly data: unknown;
  readonly correlation_id: string | null;
  readonly causation_id: string | null;
  readonly traceparent: string | null;
  readonly time: string;
}

export function envelopeOf(service: ServiceName, row: OutboxRow): { readonly subject: string; readonly envelope: Envelope } {
  const envelope: Envelope = {
    specversion: '1.0',
    id: row.event_id,
    source: `/${service}`,
    type: row.type,
    dataschema: dataSchemaOf(row),
    subject: row.aggregate_id,
    time: row.time,
    datacontenttype: 'application/json',
    sequence: Number(row.aggregate_sequence),
    ...(row.store_id ? { storeid: row.store_id } : {}),
    ...(row.customer_id ? { customerid: row.customer_id } : {}),
    ...(row.correlation_id ? { correlationid: row.correlation_id } : {}),
    ...(row.causation_id ? { causationid: row.causation_id } : {}),
    ...(row.traceparent ? { traceparent: row.traceparent } : {}),
    data: row.data,
  };
  return { subject: subjectOf(service, row, scopeOf(service, row.aggregate_id, row.store_id)), envelope };
}
