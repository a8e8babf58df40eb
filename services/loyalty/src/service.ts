import { job, type OperationsOf, type Program, type RunningService, type ServiceDefinition, startService } from '@corner/chassis';
import { loyalty } from '@corner/contracts';
import {
  projectProgramme,
  projectStore,
  recordVisitWhenBookingMade,
  recordVisitWhenQueueClaimed,
  recordVisitWhenQueueJoined,
} from './card/event-handlers.ts';
import { customerState, listMyCards, readCardHistory, readStampEvidence } from './card/operations.ts';
import { explainCards } from './card/tables/explain.ts';
import { dropOldCodes, dropOldDeviceUses, generateStampCode, redeemStampCode, syncOfflineStamps } from './codes-and-taps/entry-points.ts';
import { type LoyaltyConfig, readLoyaltyConfig } from './config.ts';
import { type Context, createContext } from './context.ts';
import {
  dropOldLookUps,
  erasing,
  findCustomers,
  handleFindCustomer,
  handleKnowsCustomer,
  handleReadLastVisits,
} from './customers/entry-points.ts';
import { announceMemberships, projectCustomer } from './memberships/entry-points.ts';
import {
  cancelMultiStamp,
  confirmMultiStamp,
  dropOldRequests,
  expireMultiStamps,
  multiStampStatus,
  projectStaff,
  requestMultiStamp,
} from './multi-stamp/entry-points.ts';
import { handleImportStamps } from './opening-balances/entry-points.ts';
import {
  applyDisputeWhenPaymentDisputed,
  awardStampsWhenCustomerBound,
  awardStampsWhenOrderPaid,
  handleAwardOrder,
  handleReadOrderStamps,
  reinstateStampsWhenRefundFailed,
  takeBackStampsWhenOrderRefunded,
} from './orders/entry-points.ts';
import { expireGuestStamps } from './staff/jobs.ts';
import {
  grantStamp,
  listGuestStamps,
  listLoyaltyLog,
  listPendingStamps,
  resolvePendingStamp,
  reviewStamp,
  undoStamp,
} from './staff/operations.ts';
import {
  stampVisitWhenBookingDone,
  stampVisitWhenQueueCompleted,
  takeBackVisitWhenBookingReopened,
  takeBackVisitWhenQueueReopened,
} from './visits/entry-points.ts';
import {
  announceExpiringVouchers,
  expireVouchers,
  handleReleaseVoucher,
  handleReserveVoucher,
  handleVoucherDetails,
  lookUpVoucher,
  redeemVoucher,
  redeemVoucherByCode,
  releaseVoucherWhenOrderCancelled,
  releaseVoucherWhenOrderExpired,
} from './vouchers/entry-points.ts';

export const operations: OperationsOf<typeof loyalty, Context> = {
  customerState,
  grantStamp,
  undoStamp,
  redeemVoucher,
  listPendingStamps,
  listGuestStamps,
  resolvePendingStamp,
  reviewStamp,
  generateStampCode,
  redeemStampCode,
  syncOfflineStamps,
  requestMultiStamp,
  multiStampStatus,
  confirmMultiStamp,
  cancelMultiStamp,
  redeemVoucherByCode,
  lookUpVoucher,
  findCustomers,
  listLoyaltyLog,
  listMyCards,
  readCardHistory,
  readStampEvidence,
};

export const eventHandlers = {
  projectStore,
  projectProgramme,
  projectCustomer,
  projectStaff,
  eraseCustomer: erasing.eventHandler,
  awardStampsWhenCustomerBound,
  awardStampsWhenOrderPaid,
  takeBackStampsWhenOrderRefunded,
  reinstateStampsWhenRefundFailed,
  releaseVoucherWhenOrderCancelled,
  releaseVoucherWhenOrderExpired,
  applyDisputeWhenPaymentDisputed,
  recordVisitWhenQueueJoined,
  recordVisitWhenQueueClaimed,
  stampVisitWhenQueueCompleted,
  takeBackVisitWhenQueueReopened,
  recordVisitWhenBookingMade,
  stampVisitWhenBookingDone,
  takeBackVisitWhenBookingReopened,
};

export const rpcHandlers = {
  handleAwardOrder,
  handleReadLastVisits,
  handleFindCustomer,
  handleKnowsCustomer,
  handleReadOrderStamps,
  handleReserveVoucher,
  handleReleaseVoucher,
  handleVoucherDetails,
  handleImportStamps,
  ...erasing.rpcHandlers,
};

/** Each job with the seconds between two runs. */
export const jobs = {
  expireVouchers: job(30, expireVouchers),
  announceExpiringVouchers: job(30, announceExpiringVouchers),
  announceMemberships: job(600, announceMemberships),
  expireMultiStamps: job(30, expireMultiStamps),
  expireGuestStamps: job(600, expireGuestStamps),
  dropOldCodes: job(3_600, dropOldCodes),
  dropOldRequests: job(3_600, dropOldRequests),
  dropOldDeviceUses: job(3_600, dropOldDeviceUses),
  dropOldLookUps: job(3_600, dropOldLookUps),
  finishErasures: erasing.job,
};

export const loyaltyService = (config: LoyaltyConfig): ServiceDefinition<Context> => ({
  name: 'loyalty',
  contracts: loyalty,
  operations,
  eventHandlers,
  rpcHandlers,
  jobs,
  explain: (ids, { database }) => explainCards(database, ids),
  logs: ['log_entry'],
  polled: [loyalty.listMyCards, loyalty.readCardHistory],
  migrations: `${import.meta.dirname}/../migrations`,
  context: (platform) => createContext(platform, config),
});

export const loyaltyProgram: Program<LoyaltyConfig, RunningService<Context>> = {
  name: 'loyalty',
  readConfig: readLoyaltyConfig,
  start: (config, overrides) => startService(loyaltyService(config), config, overrides),
};
