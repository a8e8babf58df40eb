import type { EventContract, EventOf } from '@corner/contracts';
import type { Transaction } from '../database/database.ts';

/**
 * Handles an event. `run` gets the transaction that records the event's id, so it takes effect once. It must not use the network, since it
 * may run again.
 */
export interface EventHandler<Context> {
  readonly event: EventContract;
  // biome-ignore lint/suspicious/noExplicitAny: each handler narrows it to its own event
  readonly taskOf: (event: any) => unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each handler narrows it to its own tasks
  readonly run: (tasks: readonly EventTask<any>[], tx: Transaction, context: Context) => Promise<void>;
  readonly takesSeveral: boolean;
}

export interface EventTask<Task> {
  readonly task: Task;
  /** Runs `work` in the event's trace and with its log fields, so that an event it publishes names this one as its cause. */
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
 * Declares a handler that takes the events of a batch at once: `taskOf` returns the task of one event, `run` does all. Handlers with the
 * same `run` share its call, with tasks in the order of events. Calls for different aggregates run concurrently, so `run` must lock rows in
 * one order. When a batch fails, `run` gets one task at a time.
 */
export function onAll<E extends EventContract, Task, Context = unknown>(
  event: E,
  taskOf: (event: EventOf<E>) => Task,
  run: (tasks: readonly EventTask<Task>[], tx: Transaction, context: Context) => Promise<void>,
): EventHandler<Context> {
  return { event, taskOf, run, takesSeveral: true };
}

export type EventHandlers<Context> = Readonly<Record<string, EventHandler<Context>>>;
