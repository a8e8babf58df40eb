import { job, type OperationsOf, type ServiceDefinition } from '@corner/chassis';
import { loyalty } from '@corner/contracts';
import type { LoyaltyConfig } from './config.ts';
import { type Context, createContext } from './context.ts';
import {
  applyDisputeWhenPaymentDisputed,
  awardStampsWhenOrderPaid,
  projectCustomer,
  projectProgramme,
  projectStaff,
  projectStore,
  recordVisitWhenQueueClaimed,
  recordVisitWhenQueueCompleted,
  recordVisitWhenQueueJoined,
  reinstateStampsWhenRefundFailed,
  releaseVoucherWhenOrderCancelled,
  releaseVoucherWhenOrderExpired,
  takeBackStampsWhenOrderRefunded,
} from './event-handlers.ts';
import { announceExpiringVouchers, dropOldCodes, dropOldRequests, expireMultiStamps, expireVouchers } from './jobs.ts';
import { confirmMultiStamp } from './operations/confirm-multi-stamp.ts';
import { grantStamp, redeemVoucher, undoStamp } from './operations/counter.ts';
import { customerState } from './operations/customer-state.ts';
import { generateStampCode } from './operations/generate-stamp-code.ts';
import { listPendingStamps, resolvePendingStamp, reviewStamp } from './operations/pending-stamps.ts';
import { redeemStampCode } from './operations/redeem-stamp-code.ts';
import { cancelMultiStamp, multiStampStatus, requestMultiStamp } from './operations/request-multi-stamp.ts';
import { syncOfflineStamps } from './operations/sync-offline-stamps.ts';
import { handleAwardOrder, handleReleaseVoucher, handleReserveVoucher, handleVoucherDetails } from './rpc-handlers.ts';
import { explainCards } from './tables/explain.ts';

export const operations: OperationsOf<typeof loyalty, Context> = {
  customerState,
  grantStamp,
  undoStamp,
  redeemVoucher,
  listPendingStamps,
  resolvePendingStamp,
  reviewStamp,
  generateStampCode,
  redeemStampCode,
  syncOfflineStamps,
  requestMultiStamp,
  multiStampStatus,
  confirmMultiStamp,
  cancelMultiStamp,
};

export const eventHandlers = {
  projectStore,
  projectProgramme,
  projectCustomer,
  projectStaff,
  awardStampsWhenOrderPaid,
  takeBackStampsWhenOrderRefunded,
  reinstateStampsWhenRefundFailed,
  releaseVoucherWhenOrderCancelled,
  releaseVoucherWhenOrderExpired,
  applyDisputeWhenPaymentDisputed,
  recordVisitWhenQueueJoined,
  recordVisitWhenQueueClaimed,
  recordVisitWhenQueueCompleted,
};

export const rpcHandlers = { handleAwardOrder, handleReserveVoucher, handleReleaseVoucher, handleVoucherDetails };

/** Each job with the seconds between two runs. */
export const jobs = {
  expireVouchers: job(30, expireVouchers),
  announceExpiringVouchers: job(30, announceExpiringVouchers),
  expireMultiStamps: job(30, expireMultiStamps),
  dropOldCodes: job(3_600, dropOldCodes),
  dropOldRequests: job(3_600, dropOldRequests),
};

/** Every entry point of loyalty, as the chassis runs them. */
export const loyaltyService = (config: LoyaltyConfig): ServiceDefinition<Context> => ({
  name: 'loyalty',
  contracts: loyalty,
  operations,
  eventHandlers,
  rpcHandlers,
  jobs,
  explain: (ids, { database }) => explainCards(database, ids),
  migrations: `${import.meta.dirname}/../migrations`,
  context: (platform) => createContext(platform, config),
});
