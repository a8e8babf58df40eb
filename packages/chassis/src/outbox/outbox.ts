import type { DataInputOf, EventContract } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Transaction } from '../database/database.ts';
import { currentLogFields } from '../telemetry/log.ts';
import { currentTraceparent } from '../telemetry/telemetry.ts';

/**
 * Publishes an event: inserts one outbox row in the transaction of the change, so that both happen or neither. The relay sends it to the
 * broker. Throws a ZodError when the data does not fit the contract, and DuplicateEvent when this type, aggregate and sequence was
 * published before; either undoes the change as well.
 */
export async function publish<E extends EventContract>(tx: Transaction, event: E, publication: EventToPublish<E>): Promise<void> {
  await publishAll(tx, [outboxEntry(event, publication)]);
}

/** Publishes several events with one statement, in their order. An empty list sends no statement. Throws as {@link publish} does. */
export async function publishAll(tx: Transaction, events: readonly OutboxEntry[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(sql.prepared('publish', z.object({}))`${outboxInserted(events)}`);
}

/**
 * Inserts events in their order: for a statement that makes its change and publishes it at once. `joined` follows the events' rows: a join
 * with what changed, for events of changes that may not happen. Throws as {@link publish} does.
 */
export const outboxInserted = (events: readonly OutboxEntry[], joined: FragmentSqlToken = sql.fragment``): FragmentSqlToken => sql.fragment`
  insert into outbox (${outboxColumns})
  select ${outboxColumns}
  from rows from (jsonb_to_recordset(${sql.jsonb(events.map(({ row }) => row) as never)}) as (
    type text, version smallint, aggregate_id text, aggregate_sequence bigint, store_id uuid, customer_id uuid, data jsonb,
    correlation_id text, causation_id text, traceparent text)) with ordinality ${joined}
  order by ordinality`;

/** Prepares an event for {@link publishAll}. Throws a ZodError when the data does not fit the contract. */
export const outboxEntry = <E extends EventContract>(event: E, publication: EventToPublish<E>): OutboxEntry => ({
  row: outboxRow(event, publication),
});

/**
 * The columns of {@link outboxValues}, for a statement that makes its change and publishes it at once: `insert into outbox (…) select …`.
 */
export const outboxColumns: FragmentSqlToken = sql.fragment`
  type, version, aggregate_id, aggregate_sequence, store_id, customer_id, data, correlation_id, causation_id, traceparent`;

/**
 * The values of one event, in the order of {@link outboxColumns}. They follow `select`, so a `from` can decide whether the row is written.
 * `drawn` are SQL expressions for what only the statement knows. The publication has some value of the right type for each of them, so
 * that the contract can check the data.
 */
export function outboxValues<E extends EventContract>(
  event: E,
  publication: EventToPublish<E>,
  drawn: DrawnValues<E> = {},
): FragmentSqlToken {
  const row = outboxRow(event, publication);
  return sql.fragment`
    ${row.type}, ${row.version}::smallint, ${drawn.aggregateId ?? sql.fragment`${row.aggregate_id}`},
    ${drawn.sequence ?? sql.fragment`${row.aggregate_sequence}::bigint`}, ${row.store_id}::uuid, ${row.customer_id}::uuid,
    ${sql.jsonb(row.data)}${drawn.data ? sql.fragment` || ${jsonObject(drawn.data)}` : sql.fragment``}, ${row.correlation_id},
    ${row.causation_id}, ${row.traceparent}`;
}

const jsonObject = (fields: Readonly<Record<string, FragmentSqlToken | undefined>>): FragmentSqlToken =>
  sql.fragment`jsonb_build_object(${sql.join(
    Object.entries(fields).map(([name, value]) => sql.fragment`${sql.literalValue(name)}, ${value ?? sql.fragment`null`}`),
    sql.fragment`, `,
  )})`;

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

/** The event's data, the aggregate it belongs to, and its place in the aggregate's history. */
export interface EventToPublish<E extends EventContract> {
  /** The aggregate: an order, a card, a queue entry. */
  readonly aggregateId: string;
  /** The aggregate's version after this change, drawn under its row lock. It only grows, and the events of one change share it. */
  readonly sequence: number;
  readonly storeId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly data: DataInputOf<E>;
}

/** What only the statement that publishes an event knows of it, as SQL expressions. */
export interface DrawnValues<E extends EventContract> {
  readonly aggregateId?: FragmentSqlToken;
  readonly sequence?: FragmentSqlToken;
  /** Fields of the data, each an expression of the type it has in JSON. */
  readonly data?: { readonly [Field in keyof DataInputOf<E> & string]?: FragmentSqlToken };
}

/** An event ready to be published: a row of the outbox. */
export interface OutboxEntry {
  readonly row: Readonly<Record<string, unknown>>;
}
