import {
  type EventHandlers,
  type Jobs,
  job,
  type OperationsOf,
  type Program,
  type RpcHandlers,
  type RunningService,
  type ServiceDefinition,
  startService,
} from '@corner/chassis';
import { queue } from '@corner/contracts';
import { type QueueConfig, readQueueConfig } from './config.ts';
import { type Context, createContext } from './context.ts';
import {
  endOverdue,
  eraseGuests,
  erasing,
  handleQueueGuest,
  makeWeeklyClasses,
  noteDepositWhenOrderRefunded,
  noteDepositWhenRefundFailed,
  passPlaces,
  projectBooking,
  projectCustomer,
  projectFloor,
  projectStore,
  takeDepositWhenPaid,
} from './entry-points.ts';
import {
  acceptBooking,
  bookingSteps,
  cancelBooking,
  cancelSession,
  changeSession,
  listMyBookings,
  listStoreBookings,
  makeBooking,
  makeSession,
  moveBooking,
  readBooking,
  readTimes,
  reopenBooking,
} from './operations/bookings.ts';
import { joinQueue, leaveQueue, queueStatus, readQueueChain, readStoreQueue } from './operations/place.ts';
import {
  addQueueEntry,
  clearUnconfirmedEntries,
  listQueueEntries,
  listQueueLog,
  readWaits,
  reopenQueueEntry,
  staffMoves,
  switchWalkIns,
} from './operations/staff.ts';
import { changeWeeklyClass, endWeeklyClass, listWeeklyClasses, makeWeeklyClass } from './operations/weekly-classes.ts';
import { explainBookings } from './tables/explain-bookings.ts';
import { explainEntries, explainEntriesOf } from './tables/explain-entries.ts';

export const operations: OperationsOf<typeof queue, Context> = {
  joinQueue,
  leaveQueue,
  queueStatus,
  readQueueChain,
  readStoreQueue,
  listQueueEntries,
  readWaits,
  addQueueEntry,
  ...staffMoves,
  clearUnconfirmedEntries,
  reopenQueueEntry,
  switchWalkIns,
  listQueueLog,
  readTimes,
  makeBooking,
  readBooking,
  moveBooking,
  cancelBooking,
  acceptBooking,
  listMyBookings,
  listStoreBookings,
  ...bookingSteps,
  reopenBooking,
  makeSession,
  changeSession,
  cancelSession,
  makeWeeklyClass,
  listWeeklyClasses,
  changeWeeklyClass,
  endWeeklyClass,
};

export const eventHandlers = {
  projectBooking,
  projectCustomer,
  projectFloor,
  projectStore,
  takeDepositWhenPaid,
  noteDepositWhenOrderRefunded,
  noteDepositWhenRefundFailed,
  eraseCustomer: erasing.eventHandler,
} satisfies EventHandlers<Context>;

export const rpcHandlers: RpcHandlers<Context> = { handleQueueGuest, ...erasing.rpcHandlers };

export const jobs = {
  endOverdue: job(15, endOverdue),
  passPlaces: job(15, passPlaces),
  makeWeeklyClasses: job(900, makeWeeklyClasses),
  eraseGuests: job(900, eraseGuests),
  finishErasures: erasing.job,
} satisfies Jobs<Context>;

export const queueService: ServiceDefinition<Context> = {
  name: 'queue',
  contracts: queue,
  operations,
  eventHandlers,
  rpcHandlers,
  jobs,
  async explain(ids, { database }) {
    const [entries, near] = [await explainEntries(database, ids), await explainEntriesOf(database, ids)];
    const bookings = await explainBookings(database, ids);
    return { facts: [...entries.facts, ...near.facts, ...bookings.facts], also: [...entries.also, ...bookings.also] };
  },
  logs: ['log_entry'],
  polled: [queue.queueStatus, queue.readStoreQueue],
  migrations: `${import.meta.dirname}/../migrations`,
  context: createContext,
};

export const queueProgram: Program<QueueConfig, RunningService<Context>> = {
  name: 'queue',
  readConfig: readQueueConfig,
  start: (config, overrides) => startService(queueService, config, overrides),
};
