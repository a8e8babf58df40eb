import type { Event } from './stripe-shapes.ts';

/** How events travel to the webhook address. All of it can be in force at once. */
export interface Travel {
  /** Nothing leaves until it is flushed. What is held when this ends waits for its flush all the same. */
  readonly hold: boolean;
  /** Share of events that never arrive unless sent again by hand, 0 to 100, drawn from `seed`. */
  readonly dropPercent: number;
  /** Further copies of each event, sent at the same moment. */
  readonly duplicates: number;
  /** Events are gathered for `delayMs` (at least 50) and then leave one after the other, the latest first. */
  readonly reverse: boolean;
  readonly delayMs: number;
  /** Up to so much more delay, drawn for each event, which mixes their order. */
  readonly jitterMs: number;
  /** Begins the draws anew. */
  readonly seed: number;
}

export const plainTravel: Travel = { hold: false, dropPercent: 0, duplicates: 0, reverse: false, delayMs: 0, jitterMs: 0, seed: 1 };

export type FlushOrder = 'as_made' | 'reversed' | 'shuffled';

/** The same events in another order; `draw` gives numbers from 0 up to 1. */
export function arrange(events: readonly Event[], order: FlushOrder, draw: () => number): Event[] {
  if (order === 'as_made') return [...events];
  if (order === 'reversed') return events.toReversed();
  const drawn = events.map((event) => ({ event, at: draw() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ event }) => event);
}
