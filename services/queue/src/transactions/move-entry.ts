import type { Transaction } from '@corner/chassis';
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
import { isActive, type Move, moves } from '../rules/moves.ts';
import type { Entry } from '../tables/entries.ts';
import { freeSeats } from '../tables/seats.ts';
import { updateEntry } from '../tables/write-entry.ts';
import { publishEntryEvent } from './publish-entry-event.ts';

/** Makes a move that the caller has checked, on an entry of a locked queue. Frees the entry's seats when it leaves a chair. */
export async function moveEntry(tx: Transaction, entry: Entry, move: Move, changes: MoveChanges = {}): Promise<Entry> {
  const { holdMinutes, appointmentId = null, position = null, leftBy = null } = changes;
  const status = moves[move].to;
  const moved = await updateEntry(tx, entry.id, {
    status,
    now: tx.now,
    calledAt: move === 'call' ? 'set' : move === 'recall' ? 'clear' : 'keep',
    holdUntil: holdMinutes === undefined ? null : new Date(tx.now.getTime() + holdMinutes * 60_000),
    appointmentId,
    ends: !isActive(status),
  });
  if (entry.status === 'assigned') await freeSeats(tx, entry, tx.now);
  await publishEntryEvent(tx, eventOf[move], moved, { position, leftBy });
  return moved;
}

const eventOf: Readonly<Record<Move, EventContract<typeof QueueEntryData>>> = {
  call: queueCalled,
  recall: queueRecalled,
  assign: queueAssigned,
  complete: queueCompleted,
  noShow: queueNoShow,
  convert: queueConverted,
  leave: queueLeft,
};

/** What a move changes besides the status. */
export interface MoveChanges {
  /** How long a call holds; absent for every other move. */
  readonly holdMinutes?: number;
  readonly appointmentId?: string | null;
  /** The position after the move, where the entry waits again. */
  readonly position?: number;
  /** Who makes an entry leave. */
  readonly leftBy?: 'owner' | 'closing';
}
