import { type OutboxEntry, outboxEntry, publishAll, type Transaction } from '@corner/chassis';
import { type FulfilmentStatus, orderCancelled, orderFulfilmentChanged, orderStatusChanged } from '@corner/contracts';
import { sql } from 'slonik';
import type { Move } from '../rules/transitions.ts';
import { releaseHolds } from './holds.ts';
import { appendLog, type LogEntry } from './log.ts';
import { type Family, namesOf, OrderRow, orderColumns } from './orders.ts';

/** Who moves an order, when and why. */
export interface Mover {
  readonly at: Date;
  readonly actor: string | null;
  readonly note: string | null;
}

const titles: Record<FulfilmentStatus, string> = {
  accepted: 'The order was accepted',
  preparing: 'Preparation began',
  ready: 'The order is ready',
  collected: 'The order was handed over',
  cancelled: 'The order was cancelled',
};

interface Step {
  readonly order: OrderRow;
  readonly move: Move;
}

/**
 * The one writer of both status axes: moves the order that was named in a locked family, and whatever follows. A cancelled order
 * takes its open legs along; the last leg to end ends the order it belongs to. Status, times, log and events change together;
 * cancelling frees places, and goods that were not made yet. Answers the named order as it is then.
 */
export async function moveOrder(tx: Transaction, family: Family, move: Move, by: Mover): Promise<OrderRow> {
  const steps = stepsOf(family, move);
  const rows = await write(tx, steps, by.at);
  const cancelled = steps.filter((step) => step.move.fulfilment === 'cancelled');
  if (cancelled.length > 0) {
    await releaseHolds(tx, family.main.store_id, idsOf(cancelled), ['slot']);
    const unmade = cancelled.filter(({ order }) => order.fulfilment_status !== 'ready' && order.fulfilment_status !== 'collected');
    await releaseHolds(tx, family.main.store_id, idsOf(unmade), ['stock']);
  }
  await appendLog(tx, ...steps.map((step) => entryOf(step, by, step.order.id === family.named.id)));
  await publishAll(
    tx,
    steps.flatMap((step) => publications(step, rows.find(({ id }) => id === step.order.id) as OrderRow, by)),
  );
  return rows.find(({ id }) => id === family.named.id) as OrderRow;
}

const idsOf = (steps: readonly Step[]) => steps.map(({ order }) => order.id);
const isOpen = ({ business_status }: Pick<OrderRow, 'business_status'>) => business_status === 'placed' || business_status === 'ready';

/** The move that was asked for, and those that follow from it, main order first. */
function stepsOf({ named, main, legs }: Family, move: Move): Step[] {
  const open = legs.filter(isOpen);
  if (named === main) {
    if (move.fulfilment === 'cancelled') return [main, ...open].map((order) => ({ order, move }));
    // Its own part is handed over; it has ended when its legs have.
    if (move.business === 'fulfilled' && open.length > 0)
      return [{ order: main, move: { ...move, business: main.business_status ?? 'placed' } }];
    return [{ order: main, move }];
  }
  const step = { order: named, move };
  const last = move.business !== named.business_status && !isOpen({ business_status: move.business }) && open.every((leg) => leg === named);
  if (!last || !isOpen(main)) return [step];
  const collected = move.fulfilment === 'collected' || legs.some((leg) => leg !== named && leg.fulfilment_status === 'collected');
  if (main.lines.length > 0 && main.fulfilment_status !== 'collected') return [step];
  const end: Move =
    collected || main.lines.length > 0
      ? { fulfilment: 'collected', business: 'fulfilled', correction: false }
      : { fulfilment: 'cancelled', business: 'cancelled', correction: false };
  return [{ order: main, move: end }, step];
}

/** Times are written when a state is reached, and once: a correction keeps what was. */
async function write(tx: Transaction, steps: readonly Step[], at: Date): Promise<readonly OrderRow[]> {
  const given = steps.map(({ order, move }) => ({
    id: order.id,
    fulfilment: move.fulfilment,
    business: move.business,
    correction: move.correction,
  }));
  return await tx.any(sql.prepared('move-orders', OrderRow)`
    with moved as (
      update orders o
      set fulfilment_status = g.fulfilment, business_status = g.business, version = o.version + 1,
          accepted_at = case when g.fulfilment = 'accepted' then ${at.toISOString()}::timestamptz else o.accepted_at end,
          preparing_at = case when g.fulfilment = 'preparing' then ${at.toISOString()}::timestamptz else o.preparing_at end,
          ready_at = case when g.fulfilment = 'ready' then coalesce(o.ready_at, ${at.toISOString()}::timestamptz) else o.ready_at end,
          collected_at = case when g.correction then null when g.fulfilment = 'collected' then coalesce(o.collected_at, ${at.toISOString()}::timestamptz) else o.collected_at end,
          fulfilled_at = case when g.correction then null when g.business = 'fulfilled' then ${at.toISOString()}::timestamptz else o.fulfilled_at end,
          cancelled_at = case when g.business = 'cancelled' then ${at.toISOString()}::timestamptz else o.cancelled_at end
      from jsonb_to_recordset(${sql.jsonb(given)}) as g(id uuid, fulfilment text, business text, correction boolean)
      where o.id = g.id
      returning o.*
    )
    select ${orderColumns} from moved o`);
}

function entryOf({ order, move }: Step, { at, actor, note }: Mover, named: boolean): LogEntry {
  const about = { storeId: order.store_id, orderId: order.id, at, actor };
  if (move.correction) return { ...about, kind: 'status_corrected', title: 'Status corrected: the order is ready again', detail: note };
  const detail = [named ? note : null, move.fulfilment === 'cancelled' ? 'No refund was made.' : null].filter(Boolean).join(' ') || null;
  return { ...about, kind: move.fulfilment, title: titles[move.fulfilment], detail };
}

/** A collect order tells of its fulfilment, any other of its status; one that is cancelled says so besides. */
function publications({ order, move }: Step, row: OrderRow, { at, note }: Mover): OutboxEntry[] {
  const about = { aggregateId: row.id, sequence: row.version, storeId: row.store_id, customerId: row.customer_id };
  const change =
    order.order_type === 'collect'
      ? outboxEntry(orderFulfilmentChanged, {
          ...about,
          data: {
            ...namesOf(row),
            from: order.fulfilment_status,
            to: move.fulfilment,
            at: at.toISOString(),
            collection_code: row.collection_code,
          },
        })
      : order.business_status === move.business
        ? null
        : outboxEntry(orderStatusChanged, {
            ...about,
            data: { ...namesOf(row), from: order.business_status, to: move.business, at: at.toISOString() },
          });
  const end =
    move.fulfilment === 'cancelled'
      ? outboxEntry(orderCancelled, { ...about, data: { ...namesOf(row), voucher_id: row.voucher_id, was_paid: true, reason: note } })
      : null;
  return [change, end].filter((event) => event !== null);
}
