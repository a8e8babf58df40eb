import { isCutShort, joinLooks, type KeptHead, positionByRule, type QueueLook, verifyQueue } from '@corner/contracts/verify-queue';
import { keptList } from '@corner/page-kit/browser/kept-list';
import type { Kept } from '@corner/page-kit/browser/storage';

/** `row` is the first row of the queue's changes that does not fit; null when the queue differs from all of them together. */
export type Verdict =
  | { readonly fits: true }
  | { readonly fits: false; readonly row: number | null; readonly shown: number | null; readonly byRule: number | null };

export interface Watched {
  /** The rows that were verified so far; null before the first look that fits. */
  readonly look: QueueLook | null;
  readonly verdict: Verdict;
}

/**
 * Looks at a queue again: reads the rows after those of the last look that fitted, and verifies all of them by the rule and the ends that
 * the phone was shown. Throws what `read` throws, and then nothing is known.
 */
export async function watchQueue(
  read: (after: number) => Promise<QueueLook>,
  before: QueueLook | null,
  kept: readonly KeptHead[],
): Promise<Watched> {
  let look = before;
  let page: QueueLook;
  do {
    page = await read(look?.rows.at(-1)?.number ?? 0);
    look = look ? joinLooks(look, page) : page;
  } while (page.rows.length > 0 && isCutShort(look));
  const faults = await verifyQueue(look, kept);
  if (faults.length === 0) return { look, verdict: { fits: true } };
  const row = faults.find(({ number }) => number !== null)?.number ?? null;
  return { look: before, verdict: { fits: false, row, shown: look.queue_position, byRule: positionByRule(look) } };
}

interface KeptEnd extends KeptHead {
  readonly entry_id: string;
  /** When it was verified, in epoch milliseconds. */
  readonly at: number;
}

/** The service returns the rows of the last day: an older end says nothing about them. */
const comparableMs = 23 * 3_600_000;
const ends = (storage: Kept) =>
  keptList<KeptEnd>(storage, 'corner.queue-ends', 4, (one) => typeof one?.entry_id === 'string' && typeof one.number === 'number');

export const readEnds = (storage: Kept, entryId: string, now: number): readonly KeptHead[] =>
  ends(storage)
    .read()
    .filter(({ entry_id, at }) => entry_id === entryId && now - at < comparableMs);

export function keepEnd(storage: Kept, entryId: string, { number, hash }: KeptHead, now: number): void {
  const { read, write } = ends(storage);
  write([{ entry_id: entryId, number, hash, at: now }, ...read().filter(({ entry_id }) => entry_id !== entryId)]);
}
