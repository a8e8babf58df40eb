import type { DataInputOf, EventContract } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { NoColumns } from '../database/columns.ts';
import type { Publisher, Transaction } from '../database/database.ts';
import { currentLogFields } from '../telemetry/log.ts';
import { currentTraceparent } from '../telemetry/telemetry.ts';

/**
 * Publishes an event: inserts one outbox row in the transaction of the change, and the commit wakes the relay. Throws a ZodError when the
 * data does not fit the contract, and DuplicateEvent for a repeated type, aggregate and sequence.
 */
export async function publish<E extends EventContract>(tx: Transaction, event: E, publication: EventToPublish<E>): Promise<void> {
  await publishAll(tx, [outboxEntry(event, publication)]);
}

/** Publishes several events with one statement, in their order. Throws as {@link publish} does. */
export async function publishAll(tx: Transaction, events: readonly OutboxEntry[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(sql.prepared('publish', NoColumns)`${insertEventsSql(tx, events)}`);
}

/**
 * Returns the clause that inserts events, for a statement that makes its change and publishes it at once. `publisher` sends it. `joined`
 * joins the rows with the changed ones, for changes that may not happen; `data` adds values found by the statement itself. Throws as
 * {@link publish} does.
 */
export function insertEventsSql(
  publisher: Publisher,
  events: readonly OutboxEntry[],
  joined: FragmentSqlToken = sql.fragment``,
  data: FragmentSqlToken = sql.fragment`data`,
): FragmentSqlToken {
  publisher.notePublished();
  const rows = sql.jsonb(events.map(({ row }) => row));
  return sql.fragment`
    insert into outbox (${outboxColumns()})
    select ${outboxColumns(data)}
    from rows from (jsonb_to_recordset(${rows}) as (
      type text, version smallint, aggregate_id text, aggregate_sequence bigint, store_id uuid, customer_id uuid, data jsonb,
      correlation_id text, causation_id text, traceparent text)) with ordinality ${joined}
    order by ordinality`;
}

/** Throws a ZodError when the data does not fit the contract. */
export const outboxEntry = <E extends EventContract>(event: E, publication: EventToPublish<E>): OutboxEntry => ({
  row: outboxRow(event, publication),
});

const outboxColumns = (data: FragmentSqlToken = sql.fragment`data`): FragmentSqlToken => sql.fragment`
  type, version, aggregate_id, aggregate_sequence, store_id, customer_id, ${data}, correlation_id, causation_id, traceparent`;

function outboxRow<E extends EventContract>(event: E, publication: EventToPublish<E>) {
  const { request_id, event_id } = currentLogFields();
  return {
    type: event.type,
    version: event.version,
    aggregate_id: publication.aggregateId,
    aggregate_sequence: publication.sequence,
    store_id: publication.storeId ?? null,
    customer_id: publication.customerId ?? null,
    data: event.data.parse(publication.data) as Record<string, never>,
    correlation_id: request_id ?? null,
    causation_id: event_id ?? null,
    traceparent: currentTraceparent() ?? null,
  };
}

export interface EventToPublish<E extends EventContract> {
  readonly aggregateId: string;
  /** The aggregate's version after this change, drawn under its row lock. It only grows, and the events of one change share it. */
  readonly sequence: number;
  readonly storeId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly data: DataInputOf<E>;
}

export interface OutboxEntry {
  readonly row: Readonly<Record<string, unknown>>;
}
