import type { EventContract, EventOf } from '@corner/contracts';
import type { Transaction } from '../database/database.ts';

/**
 * What a service does when something has happened. It is handed the transaction in which the event's id is already
 * recorded, so it has its effects once however often the event arrives; it must not touch the network.
 */
export interface EventHandler<Context> {
  readonly event: EventContract;
  // biome-ignore lint/suspicious/noExplicitAny: each reaction narrows it to its own event
  readonly run: (event: any, tx: Transaction, context: Context) => Promise<void>;
}

/** Ties a consequence to its event. The table of reactions names it. */
export function on<E extends EventContract, Context = unknown>(
  event: E,
  run: (event: EventOf<E>, tx: Transaction, context: Context) => Promise<void>,
): EventHandler<Context> {
  return { event, run };
}

/** A service's reactions by name, one entry a consequence. */
export type EventHandlers<Context> = Readonly<Record<string, EventHandler<Context>>>;
