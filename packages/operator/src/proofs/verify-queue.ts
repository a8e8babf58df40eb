import { createHash } from 'node:crypto';
import type { QueueChainRow } from '@corner/contracts';

/** What a phone knows of a queue: the rows that readQueueChain returned, its place, and the end of the chain that it kept. */
export interface QueueLook {
  readonly rows: readonly QueueChainRow[];
  /** The place of the phone, as rows name it, and the position that the queue shows for it; null when it does not wait. */
  readonly entry_ref: string;
  readonly queue_position: number | null;
  /** Those who wait, as the queue has them. */
  readonly waiting: readonly { readonly entry_ref: string; readonly place: string }[];
  /** The end that queueStatus shows now; null before the first change. */
  readonly head: { readonly number: number; readonly hash: string } | null;
}

/** An end of the chain that was kept from an earlier look. */
export interface KeptHead {
  readonly number: number;
  readonly hash: string;
}

/** What is wrong, at which row of the chain; null for what is at none. */
export interface QueueFault {
  readonly number: number | null;
  readonly why: string;
}

/**
 * Verifies a queue by its chain of changes: that each row follows the one before, that an end that was kept is still in it, that no one joined
 * before others or moved without a change, and that the position shown is the one that the rule gives.
 */
export function verifyQueue(
  { rows, entry_ref, queue_position, waiting: shown, head }: QueueLook,
  kept: readonly KeptHead[] = [],
): QueueFault[] {
  const faults: QueueFault[] = [...brokenLinks(rows), ...cutEnds(rows, head, kept)];
  const places = new Map<string, QueueChainRow>();
  for (const row of rows) {
    const before = places.get(row.entry_ref);
    const why = before ? faultOfMove(before, row) : faultOfJoin([...places.values()], row);
    if (why !== null) faults.push({ number: row.number, why });
    places.set(row.entry_ref, row);
  }
  faults.push(...faultsOfPlaces(rows, places, shown));
  const waiting = [...places.values()].filter(({ status }) => status === 'waiting').sort((a, b) => (a.place < b.place ? -1 : 1));
  const index = waiting.findIndex((row) => row.entry_ref === entry_ref);
  const position = index < 0 ? null : index + 1;
  if (position !== queue_position && places.has(entry_ref))
    faults.push({ number: null, why: `the queue shows position ${queue_position ?? 'none'}, and the rule gives ${position ?? 'none'}` });
  return faults;
}

/** Names the first row that does not follow the one before it. Of the first row that is there, what is before it is not known, unless it is number 1. */
function brokenLinks(rows: readonly QueueChainRow[]): QueueFault[] {
  let last = rows[0]?.number === 1 ? { number: 0, hash: '0'.repeat(64) } : null;
  for (const row of rows) {
    if (last && row.number !== last.number + 1) return [{ number: last.number + 1, why: 'this row is missing' }];
    if (last && hashOf(last.hash, row) !== row.hash) return [{ number: row.number, why: 'this row is not as it was written' }];
    last = row;
  }
  return [];
}

/** Returns the hash of a row after the hash before it, in hexadecimal. */
const hashOf = (before: string, { number, entry_ref, kind, status, at, place }: QueueChainRow): string =>
  createHash('sha256').update(before, 'hex').update([number, entry_ref, kind, status, at, place].join(' ')).digest('hex');

function cutEnds(rows: readonly QueueChainRow[], head: KeptHead | null, kept: readonly KeptHead[]): QueueFault[] {
  const last = rows.at(-1);
  const faults: QueueFault[] = [];
  if (last && (head?.number !== last.number || head.hash !== last.hash))
    faults.push({ number: last.number, why: 'the queue shows another end than this row' });
  for (const { number, hash } of kept) {
    const row = rows.find((one) => one.number === number);
    if (row ? row.hash !== hash : (last?.number ?? 0) < number)
      faults.push({
        number,
        why: row ? 'you were shown another end here: rows were written anew' : 'you were shown this row: the end was cut',
      });
  }
  return faults;
}

/** Compares the places that the queue has with those that the chain gave. What was there before the first row is not known. */
function faultsOfPlaces(
  rows: readonly QueueChainRow[],
  places: ReadonlyMap<string, QueueChainRow>,
  shown: QueueLook['waiting'],
): QueueFault[] {
  const has = new Map(shown.map(({ entry_ref, place }) => [entry_ref, place]));
  const begins = rows[0]?.number === 1 ? '' : (rows[0]?.place ?? '');
  const unknown = shown.filter(({ entry_ref, place }) => !places.has(entry_ref) && place > begins);
  const moved = [...places.values()].flatMap(({ entry_ref, status, place, number }): QueueFault[] => {
    const now = has.get(entry_ref);
    if (status !== 'waiting')
      return now === undefined ? [] : [{ number, why: `after this one is ${status}, and the queue has it waiting` }];
    if (now === undefined) return [{ number, why: 'after this one waits, and the queue does not have it' }];
    return now === place ? [] : [{ number, why: `this one was moved to ${now} without a change; the rule gives ${place}` }];
  });
  return [...moved, ...unknown.map(() => ({ number: null, why: 'the queue has one who waits and never joined' }))];
}

/** One joins behind all who have a place. */
function faultOfJoin(places: readonly QueueChainRow[], row: QueueChainRow): string | null {
  if (row.kind !== 'joined') return null;
  const passed = places.filter(({ status, place }) => (status === 'waiting' || status === 'called') && place > row.place);
  return passed.length === 0 ? null : `this one joined before ${passed.length} who were there already`;
}

/** A change keeps the place, and one that is brought back may stand a thousandth of a second later. */
function faultOfMove(before: QueueChainRow, row: QueueChainRow): string | null {
  const isKept =
    row.kind === 'reopened'
      ? row.place >= before.place && microseconds(row.place) - microseconds(before.place) <= 1_000
      : row.place === before.place;
  return isKept ? null : `this one was moved from ${before.place} to ${row.place}`;
}

/** Microseconds since 1970 of an instant that has six decimals. */
const microseconds = (instant: string): number => Date.parse(`${instant.slice(0, 19)}Z`) * 1_000 + Number(instant.slice(20, 26));
