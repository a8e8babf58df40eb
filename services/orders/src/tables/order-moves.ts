import { type OutboxEntry, outboxInserted, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import type { Step } from '../rules/follow-move.ts';
import { type LogEntry, logAppended } from './log.ts';
import { OrderRow, orderColumns } from './orders.ts';

/** The moves of a family's orders, with what is logged and published of them. */
export interface Moves {
  readonly steps: readonly Step<OrderRow>[];
  readonly entries: readonly LogEntry[];
  readonly events: readonly OutboxEntry[];
}

/**
 * Writes the new state of several locked orders, the log and the events, and returns the orders, in no particular order. A time is written
 * when its state is first reached; a correction clears the times of the hand-over and keeps the others.
 */
export async function writeMoves(tx: Transaction, { steps, entries, events }: Moves): Promise<readonly OrderRow[]> {
  const now = tx.now.toISOString();
  const moves = steps.map(({ order, move }) => ({ id: order.id, ...move }));
  const ids = sql.array(
    steps.map(({ order }) => order.id),
    'uuid',
  );
  return await tx.any(sql.prepared('move-orders', OrderRow)`
    with moved as (
      update orders o
      set fulfilment_status = m.fulfilment, business_status = m.business, version = o.version + 1,
          accepted_at = case when m.fulfilment = 'accepted' then ${now}::timestamptz else o.accepted_at end,
          preparing_at = case when m.fulfilment = 'preparing' then ${now}::timestamptz else o.preparing_at end,
          ready_at = case when m.fulfilment = 'ready' then coalesce(o.ready_at, ${now}::timestamptz) else o.ready_at end,
          collected_at = case when m.correction then null when m.fulfilment = 'collected' then coalesce(o.collected_at, ${now}::timestamptz) else o.collected_at end,
          fulfilled_at = case when m.correction then null when m.business = 'fulfilled' then ${now}::timestamptz else o.fulfilled_at end,
          cancelled_at = case when m.business = 'cancelled' then ${now}::timestamptz else o.cancelled_at end
      from jsonb_to_recordset(${sql.jsonb(moves)}) as m(id uuid, fulfilment text, business text, correction boolean)
      where o.id = m.id and o.id = any(${ids})
      returning o.*
    ),
    logged as (${logAppended(tx.now, entries)}),
    published as (${outboxInserted(events)})
    select ${orderColumns} from moved o`);
}
