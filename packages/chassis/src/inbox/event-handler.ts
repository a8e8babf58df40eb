import type { EventContract, EventOf } from '@corner/contracts';
import type { Transaction } from '../database/database.ts';

/**
 * What a service does when an event has arrived. `run` gets the transaction in which the event's id is recorded, so it has its effects
 * once however often the event arrives. It must not touch the network, since it may run again.
 */
export interface EventHandler<Context> {
  readonly event: EventContract;
  /** Returns what there is to do for one event. */
  // biome-ignore lint/suspicious/noExplicitAny: each handler narrows it to its own event
  readonly taskOf: (event: any) => unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each handler narrows it to its own tasks
  readonly run: (tasks: readonly EventTask<any>[], tx: Transaction, context: Context) => Promise<void>;
  /** Whether `run` takes the tasks of several events at once. */
  readonly takesSeveral: boolean;
}

/** What there is to do for one event of a batch. */
export interface EventTask<Task> {
  readonly task: Task;
  /** Runs `work` in the event's trace and with its log fields, so that what it publishes names the event as its cause. */
  within<T>(work: () => T): T;
}

/** Declares an event handler. Its name is its key in the service's `eventHandlers`. */
export function on<E extends EventContract, Context = unknown>(
  event: E,
  run: (event: EventOf<E>, tx: Transaction, context: Context) => Promise<void>,
): EventHandler<Context> {
  return {
    event,
    taskOf: (arrived) => arrived,
    run: async (tasks, tx, context) => {
      for (const { task } of tasks) await run(task, tx, context);
    },
    takesSeveral: false,
  };
}

/**
 * Declares an event handler that takes the events of a batch at once, for statements about sets: `taskOf` says what there is to do for
 * one event, and `run` does all of it. Handlers that are declared with the same `run` share its call, whatever events they are for. The
 * tasks are in the order of the events. Two calls run at the same time for different aggregates, so `run` locks its rows in one order. When
 * a batch fails, `run` gets one task at a time.
 */
export function onAll<E extends EventContract, Task, Context = unknown>(
  event: E,
  taskOf: (event: EventOf<E>) => Task,
  run: (tasks: readonly EventTask<Task>[], tx: Transaction, context: Context) => Promise<void>,
): EventHandler<Context> {
  return { event, taskOf, run, takesSeveral: true };
}

/** A service's event handlers by name. Several may handle the same event. */
export type EventHandlers<Context> = Readonly<Record<string, EventHandler<Context>>>;
