import { closingTime, type Opening } from '@corner/contracts/opening-hours';
import type { Move, Status } from './moves.ts';

/** How long an entry still waits after the store has closed, in milliseconds. */
const graceAfterClosing = 30 * 60_000;

/**
 * Returns the entries whose time has ended with the move that ends each. `entries` come in the order of joining within each status;
 * `abandonedIds` are in a chair whose time ended long ago. `now` is in epoch milliseconds.
 */
export function overdueEntries<E extends TimedEntry>(
  { entries, abandonedIds, hours, timeZone }: OverdueInput<E>,
  now: number,
): readonly OverdueEntry<E>[] {
  const lapsed = entries.filter(({ hold_until }) => hold_until !== null && Date.parse(hold_until) <= now);
  const abandoned = entries.filter(({ id }) => abandonedIds.includes(id));
  return [
    ...lapsed.map((entry) => ({ entry, move: 'noShow' as const })),
    ...waitingTooLong(entries, hours, timeZone, now).map((entry) => ({ entry, move: 'leave' as const })),
    ...abandoned.map((entry) => ({ entry, move: 'complete' as const })),
  ];
}

/** Stops at the first waiting entry that is in time, because working out a closing time costs more than everything else here. */
function waitingTooLong<E extends TimedEntry>(
  entries: readonly E[],
  hours: readonly Opening[],
  timeZone: string,
  now: number,
): readonly E[] {
  const waiting = entries.filter(({ status }) => status === 'waiting');
  const firstInTime = waiting.findIndex(({ joined_at }) => !isDayOver(closingTime(hours, timeZone, Date.parse(joined_at)), now));
  return firstInTime === -1 ? waiting : waiting.slice(0, firstInTime);
}

/** `closesAt` is null for a day on which the store does not open. */
const isDayOver = (closesAt: number | null, now: number): boolean => (closesAt ?? 0) + graceAfterClosing <= now;

interface TimedEntry {
  readonly id: string;
  readonly status: Status;
  readonly joined_at: string;
  readonly hold_until: string | null;
}

interface OverdueInput<E> {
  readonly entries: readonly E[];
  readonly abandonedIds: readonly string[];
  readonly hours: readonly Opening[];
  readonly timeZone: string;
}

export interface OverdueEntry<E> {
  readonly entry: E;
  readonly move: Extract<Move, 'noShow' | 'leave' | 'complete'>;
}
