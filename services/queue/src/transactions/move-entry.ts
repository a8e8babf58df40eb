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
import { updateEntry } from '../tables/write-entry.ts';
import { entryEvent } from './entry-event.ts';

/**
 * Makes a move that the caller has checked, on an entry of a locked queue, and publishes it. Frees the entry's seats when it leaves a
 * chair. The lock makes the entry's next sequence known before it is written.
 */
export async function moveEntry(tx: Transaction, entry: Entry, move: Move, changes: MoveChanges = {}): Promise<Entry> {
  const { holdMinutes, appointmentId = null, position = null, leftBy = null } = changes;
  const status = moves[move].to;
  const holdUntil = holdMinutes === undefined ? null : instantText(tx.now.getTime() + holdMinutes * 60_000);
  const moved = { ...entry, hold_until: holdUntil, event_sequence: entry.event_sequence + 1 };
  const change = {
    status,
    now: tx.now,
    calledAt: move === 'call' ? ('set' as const) : move === 'recall' ? ('clear' as const) : ('keep' as const),
    holdUntil,
    appointmentId,
    ends: !isActive(status),
    freesSeats: entry.status === 'assigned',
  };
  return await updateEntry(tx, entry.id, change, entryEvent(tx, eventOf[move], moved, { position, leftBy }));
}

/** An instant as it is read from the database, with microseconds. */
const instantText = (time: number): string => new Date(time).toISOString().replace('Z', '000Z');

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
