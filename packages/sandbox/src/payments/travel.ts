import type { Event, ThinEvent } from './stripe-shapes.ts';

/**
 * All settings can be in force at the same time. `hold`: events that are held when it is switched off still wait for a flush. `lose`: `*`
 * for all and `refund.*` for a prefix; such events are recorded and listed, and never sent.
 */
export interface Travel {
  readonly hold: boolean;
  /** 0 to 100, drawn from `seed`. A lost event is sent only by hand. */
  readonly dropPercent: number;
  readonly lose: readonly string[];
  readonly duplicates: number;
  /** Events are collected for `delayMs`, at least 50 milliseconds, and then sent one after the other, the latest first. */
  readonly reverse: boolean;
  readonly delayMs: number;
  readonly jitterMs: number;
  readonly seed: number;
}

export const plainTravel: Travel = {
  hold: false,
  dropPercent: 0,
  lose: [],
  duplicates: 0,
  reverse: false,
  delayMs: 0,
  jitterMs: 0,
  seed: 1,
};

export type FlushOrder = 'as_made' | 'reversed' | 'shuffled';

export function arrange(events: readonly (Event | ThinEvent)[], order: FlushOrder, draw: () => number): (Event | ThinEvent)[] {
  if (order === 'as_made') return [...events];
  if (order === 'reversed') return events.toReversed();
  const drawn = events.map((event) => ({ event, at: draw() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ event }) => event);
}

export const named = (type: string, wanted: string): boolean =>
  wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
