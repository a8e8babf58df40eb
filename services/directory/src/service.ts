import {
  type EventHandlers,
  type Jobs,
  job,
  type Program,
  type RpcHandlers,
  type RunningService,
  type ServiceDefinition,
  startService,
  type Webhook,
} from '@corner/chassis';
import { directory } from '@corner/contracts';
import { type DirectoryConfig, readDirectoryConfig } from './config.ts';
import { type Context, createContext } from './context.ts';
import { connectStore, recordDataRead } from './event-handlers.ts';
import { deleteSessions, renewTemplates } from './jobs.ts';
import { listDataAccess } from './operations/data-access.ts';
import { changeBooking, createBooking, listBookings } from './operations/diary.ts';
import { eraseMe, exportMe, readErasure, requestErasure } from './operations/erasures.ts';
import { acceptInvitation, inviteStaff, listInvitations, lookUpInvitation, withdrawInvitation } from './operations/invitations.ts';
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
import { createPartner, listPartners, partnerToken, rotatePartnerSecret, withdrawPartner } from './operations/partners.ts';
import { addStaff, changeMe, changeMembership, changeStaff, listStaff, readMe, readMembership } from './operations/people.ts';
import { changeStore, createStore, listDirectoryLog, listDirectoryStores, readDirectoryStore } from './operations/stores.ts';
import { createGuest, endSession, exchangeToken, readSigningKeys, refreshToken, startStaffSession } from './operations/tokens.ts';
import { handleBeginErasure, handleEraseAgain, handleListErasures } from './rpc-handlers/erasures.ts';
import { handleExport } from './rpc-handlers/export.ts';
import { handleReadImportPlan, handleReadImportProgress, handleRunImport, handleStageImport } from './rpc-handlers/imports.ts';
import { handleReadInvitation } from './rpc-handlers/read-invitation.ts';
import { handleTakeOver } from './rpc-handlers/take-over.ts';
import { handleVerifyDataAccess } from './rpc-handlers/verify-data-access.ts';
import { collectErasures } from './sagas/erasures.ts';
import { asOnlyProducer, lookAtStream, whyNotOnlyProducer } from './sagas/look-at-stream.ts';
import { eraseUnseen } from './sagas/retention.ts';
import { recordOperatorRead } from './transactions/record-data-access.ts';
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
});

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
