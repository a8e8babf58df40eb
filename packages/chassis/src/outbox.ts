import type { DataInputOf, EventContract } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Transaction } from './database.ts';
import { currentLogFields } from './log.ts';
import { currentTraceparent } from './telemetry.ts';

/** What an event says besides its data: of whom, and where in that one's history. */
export interface Telling<E extends EventContract> {
  /** The aggregate: an order, a card, a queue entry. */
  readonly aggregateId: string;
  /** The aggregate's version after this change, drawn under its row lock: dense, from 1. */
  readonly sequence: number;
  readonly storeId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly data: DataInputOf<E>;
}

/**
 * Tells an event: one row in the transaction of the change, so that both happen or neither. The relay does the rest.
 * Throws when the data does not fit the contract, which undoes the change as well.
 */
export async function tell<E extends EventContract>(tx: Transaction, event: E, telling: Telling<E>): Promise<void> {
  await tellAll(tx, [told(event, telling)]);
}

/** An event about to be told, for {@link tellAll}. */
export interface Told {
  readonly row: FragmentSqlToken;
}

/** Readies an event. Throws when the data does not fit the contract. */
export const told = <E extends EventContract>(event: E, telling: Telling<E>): Told => ({ row: outboxValues(event, telling) });

/** Tells several events in one statement, in their order; none is none. */
export async function tellAll(tx: Transaction, events: readonly Told[]): Promise<void> {
  if (events.length === 0) return;
  const rows = sql.join(
    events.map(({ row }) => sql.fragment`(${row})`),
    sql.fragment`, `,
  );
  await tx.query(sql.type(z.object({}))`insert into outbox (${outboxColumns}) values ${rows}`);
}

/** The columns of {@link outboxValues}, for a statement that makes its change and tells of it in one: `insert into outbox (…) select …`. */
export const outboxColumns: FragmentSqlToken = sql.fragment`
  type, version, aggregate_id, aggregate_sequence, store_id, customer_id, data, correlation_id, causation_id, traceparent`;

/** The values of one telling. In a fused statement they follow `select`, and `from` decides whether the row is written. */
export function outboxValues<E extends EventContract>(event: E, telling: Telling<E>): FragmentSqlToken {
  const data = event.data.parse(telling.data) as Record<string, never>;
  const { request_id, event_id } = currentLogFields();
  return sql.fragment`
    ${event.type}, ${event.version}::smallint, ${telling.aggregateId}, ${telling.sequence}::bigint, ${telling.storeId ?? null}::uuid,
    ${telling.customerId ?? null}::uuid, ${sql.jsonb(data)}, ${request_id ?? null}, ${event_id ?? null}, ${currentTraceparent() ?? null}`;
}
