import { type OutboxEntry, outboxEntry, type Transaction } from '@corner/chassis';
import {
  type ChangedBy,
  type DataOf,
  type EventContract,
  type QueueEntryData,
  queueAssigned,
  queueCalled,
  queueCompleted,
  queueConfirmed,
  queueConverted,
  queueLeft,
  queueNoShow,
  queueRecalled,
} from '@corner/contracts';
import { logKindOf } from '../rules/log.ts';
import { isActive, type Move, moves } from '../rules/moves.ts';
import { type Entry, updateEntry } from '../tables/entries.ts';

/** The entry is checked and its queue locked, so the next sequence number is known before the statement. */
export async function moveEntry(tx: Transaction, entry: Entry, move: Move, changes: MoveChanges = {}): Promise<Entry> {
  const { holdMinutes, appointmentId = null, position = null, leftBy = null, by = null } = changes;
  const status = moves[move].to;
  const holdUntil = holdMinutes === undefined ? null : holdEnd(tx, holdMinutes);
  const moved = { ...entry, hold_until: holdUntil, event_sequence: entry.event_sequence + 1 };
  const change = {
    kind: logKindOf(move, by, leftBy),
    status,
    at: tx.now,
    by,
    calledAt: move === 'call' ? ('set' as const) : move === 'recall' ? ('clear' as const) : ('keep' as const),
    holdUntil,
    appointmentId,
    ends: !isActive(status),
    freesSeats: entry.status === 'assigned',
  };
  return await updateEntry(tx, entry, change, entryEvent(tx, eventOf[move], moved, { position, leftBy, by }));
}

/** With microseconds, as an instant is read from the database. */
export const holdEnd = (tx: Transaction, holdMinutes: number): string =>
  new Date(tx.now.getTime() + holdMinutes * 60_000).toISOString().replace('Z', '000Z');

const eventOf: Readonly<Record<Move, EventContract<typeof QueueEntryData>>> = {
  confirm: queueConfirmed,
  call: queueCalled,
  recall: queueRecalled,
  assign: queueAssigned,
  complete: queueCompleted,
  noShow: queueNoShow,
  convert: queueConverted,
  leave: queueLeft,
};

export interface MoveChanges {
  readonly holdMinutes?: number;
  readonly appointmentId?: string | null;
  readonly position?: number;
  readonly leftBy?: 'owner' | 'closing';
  readonly by?: ChangedBy;
}

/** `entry` is the entry after the change. The event names it by `id`, since `entry_id` is a credential. */
export function entryEvent(
  tx: Transaction,
  event: EventContract<typeof QueueEntryData>,
  entry: Pick<Entry, 'id' | 'store_id' | 'customer_id' | 'hold_until' | 'quoted_wait_min' | 'event_sequence'> &
    Partial<Pick<Entry, 'joined_at'>>,
  { position = null, leftBy = null, by = null }: EntryEventDetails = {},
): OutboxEntry {
  const { id, store_id, customer_id, hold_until, joined_at, quoted_wait_min, event_sequence } = entry;
  const data = {
    entry_ref: id,
    store_id,
    customer_id,
    position,
    hold_until,
    left_by: leftBy,
    by_id: by?.id ?? null,
    joined_at,
    quoted_wait_min,
    at: tx.now.toISOString(),
  };
  return outboxEntry(event, { aggregateId: id, sequence: event_sequence, storeId: store_id, customerId: customer_id ?? undefined, data });
}

export interface EntryEventDetails {
  readonly position?: number | null;
  readonly leftBy?: DataOf<typeof queueLeft>['left_by'];
  readonly by?: ChangedBy | null;
}
