import { publish, type Transaction } from '@corner/chassis';
import {
  type EventContract,
  type QueueEntryData,
  queueAssigned,
  queueCalled,
  queueCompleted,
  queueConverted,
  queueLeft,
  queueNoShow,
  queueRecalled,
} from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { isActive, type Move, moves } from '../rules/moves.ts';
import { Entry, entryColumns } from './entries.ts';

/** What a move writes besides the status. */
export interface AlsoWritten {
  /** How long a call holds. */
  readonly holdMinutes?: number;
  readonly appointmentId?: string | null;
  /** The place in the queue after it, where there is one. */
  readonly position?: number;
}

const publications: Readonly<Record<Move, EventContract<typeof QueueEntryData>>> = {
  call: queueCalled,
  recall: queueRecalled,
  assign: queueAssigned,
  complete: queueCompleted,
  noShow: queueNoShow,
  convert: queueConverted,
  leave: queueLeft,
};

/** Moves an entry of a locked queue and tells of it; its chairs are free again where it ends. The caller has seen that it may. */
export async function moveEntry(tx: Transaction, entry: Entry, move: Move, at: Date, also: AlsoWritten = {}): Promise<Entry> {
  const status = moves[move].to;
  const now = at.toISOString();
  const holdUntil = also.holdMinutes === undefined ? null : new Date(at.getTime() + also.holdMinutes * 60_000).toISOString();
  const moved = await tx.one(sql.prepared('move-entry', Entry)`
    update entry e set
      status = ${status},
      called_at = case ${move} when 'call' then ${now}::timestamptz when 'recall' then null else e.called_at end,
      hold_until = ${holdUntil}::timestamptz,
      appointment_id = coalesce(${also.appointmentId ?? null}::uuid, e.appointment_id),
      ended_at = case when ${isActive(status)}::boolean then null else ${now}::timestamptz end,
      told = e.told + 1
    where e.id = ${entry.id} returning ${entryColumns}`);
  if (entry.status === 'assigned')
    await tx.query(sql.prepared('free-seats', z.object({}))`
      update seat set freed_at = ${now} where entry_id = ${entry.id} and freed_at is null`);
  await tellEntry(tx, publications[move], moved, at, also.position ?? null);
  return moved;
}

/** Tells of an entry, by the name that is no credential; what is told of one is numbered without gaps. */
export async function tellEntry(
  tx: Transaction,
  event: EventContract<typeof QueueEntryData>,
  entry: Entry,
  at: Date,
  position: number | null,
): Promise<void> {
  const { id, store_id, customer_id, hold_until, told } = entry;
  const data = { entry_ref: id, store_id, customer_id, position, hold_until, at: at.toISOString() };
  await publish(tx, event, { aggregateId: id, sequence: told, storeId: store_id, customerId: customer_id ?? undefined, data });
}
