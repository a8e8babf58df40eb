import { type EventHandlers, type Jobs, job, type OperationsOf, type RpcHandlers, type ServiceDefinition } from '@corner/chassis';
import { queue } from '@corner/contracts';
import { type Context, createContext } from './context.ts';
import { projectBooking, projectFloor, projectStore } from './event-handlers.ts';
import { endOverdue, eraseGuests } from './jobs.ts';
import { joinQueue } from './operations/join-queue.ts';
import { leaveQueue } from './operations/leave-queue.ts';
import { listQueueEntries, queueStatus } from './operations/queue-status.ts';
import { staffMoves } from './operations/staff-moves.ts';
import { handleQueueGuest } from './rpc-handlers.ts';
import { explainEntries, explainEntriesOf } from './tables/explain-entries.ts';

export const operations: OperationsOf<typeof queue, Context> = {
  joinQueue,
  leaveQueue,
  queueStatus,
  listQueueEntries,
  ...staffMoves,
};

export const eventHandlers = { projectBooking, projectFloor, projectStore } satisfies EventHandlers<Context>;

export const rpcHandlers: RpcHandlers<Context> = { handleQueueGuest };

/** Each job with the seconds between two runs. */
export const jobs = { endOverdue: job(15, endOverdue), eraseGuests: job(900, eraseGuests) } satisfies Jobs<Context>;

/** The queue service and all its entry points. */
export const queueService: ServiceDefinition<Context> = {
  name: 'queue',
  contracts: queue,
  operations,
  eventHandlers,
  rpcHandlers,
  jobs,
  async explain(ids, { database }) {
    const [entries, near] = [await explainEntries(database, ids), await explainEntriesOf(database, ids)];
    return { facts: [...entries.facts, ...near.facts], also: entries.also };
  },
  migrations: `${import.meta.dirname}/../migrations`,
  context: createContext,
};
