import { measureAccept } from './measurements/accept-orders.ts';
import { measureCards } from './measurements/card-plans.ts';
import { measureEventBurst } from './measurements/event-burst.ts';
import { measureEventDelay } from './measurements/event-delay.ts';
import { measureOrderLists } from './measurements/order-list-plans.ts';
import { measureOversell } from './measurements/oversell.ts';
import type { Part } from './measurements/part.ts';

/** The parts of the benchmarks by the name that `--only` takes, in the order in which they run. */
export const parts: Readonly<Record<string, Part>> = {
  oversell: { onSystem: measureOversell },
  delay: { onSystem: measureEventDelay },
  accept: { onSystem: measureAccept },
  burst: { onSystem: measureEventBurst },
  lists: { onSystem: measureOrderLists },
  cards: { onSystem: measureCards },
};
