import { type EventHandlers, type Jobs, job, type RpcHandlers, type ServiceDefinition, type Webhook } from '@corner/chassis';
import { directory } from '@corner/contracts';
import { type Context, createContext } from './context.ts';
import { connectStore } from './event-handlers.ts';
import { renewTemplates } from './jobs.ts';
import { changeBooking, createBooking, listBookings } from './operations/diary.ts';
import {
  changeFloor,
  changeMenu,
  changeProgramme,
  changeSlots,
  readDirectoryMenu,
  readFloor,
  readProgramme,
  readSlots,
} from './operations/offer.ts';
import { addStaff, changeMe, changeMembership, changeStaff, listStaff, readMe, readMembership } from './operations/people.ts';
import { changeStore, createStore, listDirectoryLog, listDirectoryStores, readDirectoryStore } from './operations/stores.ts';
import { handleExport } from './rpc-handlers/export.ts';
import { handleReadImportPlan, handleReadImportProgress, handleRunImport, handleStageImport } from './rpc-handlers/imports.ts';
import { handleTakeOver } from './rpc-handlers/take-over.ts';
import { asOnlyProducer, lookAtStream, whyNotOnlyProducer } from './sagas/look-at-stream.ts';
import { readPicture, uploadPicture } from './webhooks.ts';

export const operations = asOnlyProducer({
  createStore,
  listDirectoryStores,
  readDirectoryStore,
  changeStore,
  readDirectoryMenu,
  changeMenu,
  readSlots,
  changeSlots,
  readProgramme,
  changeProgramme,
  readFloor,
  changeFloor,
  listBookings,
  createBooking,
  changeBooking,
  listStaff,
  addStaff,
  changeStaff,
  readMe,
  changeMe,
  readMembership,
  changeMembership,
  listDirectoryLog,
});

export const eventHandlers = { connectStore } satisfies EventHandlers<Context>;

export const rpcHandlers: RpcHandlers<Context> = {
  handleStageImport,
  handleRunImport,
  handleReadImportPlan,
  handleReadImportProgress,
  handleExport,
  handleTakeOver,
};

export const jobs = { lookAtStream: job(60, lookAtStream), renewTemplates: job(600, renewTemplates) } satisfies Jobs<Context>;

export const webhooks: readonly Webhook<Context>[] = [uploadPicture, readPicture];

export const directoryService: ServiceDefinition<Context> = {
  name: 'directory',
  contracts: directory,
  operations,
  eventHandlers,
  rpcHandlers,
  jobs,
  webhooks,
  needs: (context) => ({ 'only producer': () => whyNotOnlyProducer(context) }),
  logs: ['change'],
  migrations: `${import.meta.dirname}/../migrations`,
  context: createContext,
};
