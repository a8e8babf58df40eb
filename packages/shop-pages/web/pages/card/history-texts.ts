import type { components } from '@corner/client';
import type { Texts } from '../../texts/en/index.ts';

export type CardEntry = components['schemas']['CardEntry'];

/** Returns what an entry of a card's history says: its cause in words, and what to know besides; null for nothing. */
export function describeEntry({ kind, source, lost_by, reward_title }: CardEntry, { card }: Pick<Texts, 'card'>): EntryText {
  if (kind === 'stamp' || kind === 'stamp_waiting' || kind === 'stamp_lost') {
    const title = card.stampFor[causeOf(source)];
    if (kind === 'stamp') return { title, detail: null };
    return { title, detail: kind === 'stamp_waiting' ? card.waits : lost_by === null ? card.lost : card.lostBy[lost_by] };
  }
  return { title: card.vouchersThat[kind](reward_title ?? card.reward), detail: null };
}

export interface EntryText {
  readonly title: string;
  readonly detail: string | null;
}

/** What a stamp was for. A source that is not known here is a code's. */
function causeOf(source: string | null): keyof Texts['card']['stampFor'] {
  if (source === 'nfc' || source?.startsWith('offline_')) return 'tap';
  if (source === 'order' || source === 'visit' || source === 'membership') return source;
  return source === 'hub' || source === 'multi_stamp' || source === 'import' ? source : 'code';
}

/** A change of a count with its sign: +1, −5. Empty for none. */
export const signed = (change: number): string => (change === 0 ? '' : change > 0 ? `+${change}` : `−${-change}`);
