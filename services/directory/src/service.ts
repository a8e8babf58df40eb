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
  type Webhook,
} from '@corner/chassis';
import { directory } from '@corner/contracts';
import { type DirectoryConfig, readDirectoryConfig } from './config.ts';
import { type Context, checkOnlyProducer, createContext } from './context.ts';
import { changeMe, changeMembership, readMe, readMembership } from './customers/operations.ts';
import { recordDataRead } from './data-access/event-handlers.ts';
import { listDataAccess } from './data-access/operations.ts';
import { handleVerifyDataAccess } from './data-access/rpc-handlers.ts';
import { recordOperatorRead } from './data-access/transactions.ts';
import { changeBooking, createBooking, listBookings } from './diary/operations.ts';
import { eraseMe, exportMe, readErasure, requestErasure } from './erasure/operations.ts';
import { handleBeginErasure, handleEraseAgain, handleListErasures } from './erasure/rpc-handlers.ts';
import { collectErasures } from './erasure/sagas/erasures.ts';
import { eraseUnseen } from './erasure/sagas/retention.ts';
import { handleExport } from './imports/rpc-handlers/export.ts';
import { handleReadImportPlan, handleReadImportProgress, handleRunImport, handleStageImport } from './imports/rpc-handlers/imports.ts';
import { handleTakeOver } from './imports/rpc-handlers/take-over.ts';
import { lookAtStream, whyNotOnlyProducer } from './imports/sagas.ts';
import { renewTemplates } from './offer/jobs.ts';
import {
  changeFloor,
  changeMenu,
  changeProgramme,
  changeSlots,
  readDirectoryMenu,
  readFloor,
  readProgramme,
  readSlots,
} from './offer/operations.ts';
import { createPartner, listPartners, partnerToken, rotatePartnerSecret, withdrawPartner } from './partners/operations.ts';
import { readPicture, uploadPicture } from './pictures/webhooks.ts';
import { deleteSessions } from './sign-in/jobs.ts';
import { createGuest, endSession, exchangeToken, readSigningKeys, refreshToken } from './sign-in/operations.ts';
import { acceptInvitation, inviteStaff, listInvitations, lookUpInvitation, withdrawInvitation } from './staff/operations/invitations.ts';
import { addStaff, changeStaff, listStaff } from './staff/operations/staff.ts';
import { startStaffSession } from './staff/operations/staff-sessions.ts';
import { handleReadInvitation } from './staff/rpc-handlers.ts';
import { connectStore } from './stores/event-handlers.ts';
import { changeStore, createStore, listDirectoryLog, listDirectoryStores, readDirectoryStore } from './stores/operations.ts';

export const operations: OperationsOf<typeof directory, Context> = {
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
  listDataAccess,
  exchangeToken,
  refreshToken,
  endSession,
  createGuest,
  readSigningKeys,
  startStaffSession,
  inviteStaff,
  listInvitations,
  withdrawInvitation,
  acceptInvitation,
  lookUpInvitation,
  createPartner,
  listPartners,
  rotatePartnerSecret,
  withdrawPartner,
  partnerToken,
  exportMe,
  eraseMe,
  requestErasure,
  readErasure,
};

export const eventHandlers = { connectStore, recordDataRead } satisfies EventHandlers<Context>;

export const rpcHandlers: RpcHandlers<Context> = {
  handleStageImport,
  handleRunImport,
  handleReadImportPlan,
  handleReadImportProgress,
  handleExport,
  handleTakeOver,
  handleReadInvitation,
  handleBeginErasure,
  handleListErasures,
  handleEraseAgain,
  handleVerifyDataAccess,
};

export const jobs = {
  lookAtStream: job(60, lookAtStream),
  renewTemplates: job(600, renewTemplates),
  collectErasures: job(10, collectErasures),
  deleteSessions: job(3_600, deleteSessions),
  eraseUnseen: job(86_400, eraseUnseen),
} satisfies Jobs<Context>;

export const webhooks: readonly Webhook<Context>[] = [uploadPicture, readPicture];

export const directoryService = (config: DirectoryConfig): ServiceDefinition<Context> => ({
  name: 'directory',
  contracts: directory,
  operations,
  eventHandlers,
  rpcHandlers,
  jobs,
  webhooks,
  needs: (context) => ({ 'only producer': () => whyNotOnlyProducer(context) }),
  checkChange: checkOnlyProducer,
  signsTokens: config.TOKEN_SIGNING_KEYS !== undefined,
  recordRead: recordOperatorRead,
  logs: ['change'],
  migrations: `${import.meta.dirname}/../migrations`,
  context: (platform) => createContext(platform, config),
});

export const directoryProgram: Program<DirectoryConfig, RunningService<Context>> = {
  name: 'directory',
  readConfig: readDirectoryConfig,
  start: (config, overrides) => startService(directoryService(config), config, overrides),
};
