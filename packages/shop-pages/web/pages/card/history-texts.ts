import type { components } from '@corner/client';
import type { Texts } from '../../texts/en/index.ts';

export type CardEntry = components['schemas']['CardEntry'];

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

function causeOf(source: string | null): keyof Texts['card']['stampFor'] {
  if (source === 'nfc' || source?.startsWith('offline_')) return 'tap';
  if (source === 'order' || source === 'visit' || source === 'membership') return source;
  return source === 'hub' || source === 'multi_stamp' || source === 'import' ? source : 'code';
}

export const signed = (change: number): string => (change === 0 ? '' : change > 0 ? `+${change}` : `−${-change}`);
