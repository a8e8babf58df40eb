import type { EventContract, EventOf } from '@corner/contracts';
import type { Transaction } from '../database/database.ts';

/**
 * What a service does when an event has arrived. `run` gets the transaction in which the event's id is recorded, so it has its effects
 * once however often the event arrives. It must not touch the network, since it may run again.
 */
export interface EventHandler<Context> {
  readonly event: EventContract;
  // biome-ignore lint/suspicious/noExplicitAny: each handler narrows it to its own event
  readonly run: (event: any, tx: Transaction, context: Context) => Promise<void>;
}

/** Declares an event handler. Its name is its key in the service's `eventHandlers`. */
export function on<E extends EventContract, Context = unknown>(
  event: E,
  run: (event: EventOf<E>, tx: Transaction, context: Context) => Promise<void>,
): EventHandler<Context> {
  return { event, run };
}

/** A service's event handlers by name. Several may handle the same event. */
export type EventHandlers<Context> = Readonly<Record<string, EventHandler<Context>>>;
