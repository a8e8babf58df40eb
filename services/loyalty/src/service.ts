import { job, type OperationsOf, type ServiceDefinition } from '@corner/chassis';
import { loyalty } from '@corner/contracts';
import type { LoyaltyConfig } from './config.ts';
import { type Context, createContext } from './context.ts';
import { applyDisputeWhenPaymentDisputed } from './event-handlers/apply-dispute-when-payment-disputed.ts';
import { awardStampsWhenOrderPaid } from './event-handlers/award-stamps-when-order-paid.ts';
import { projectCustomer } from './event-handlers/project-customer.ts';
import { projectProgramme } from './event-handlers/project-programme.ts';
import { projectStaff } from './event-handlers/project-staff.ts';
import { projectStore } from './event-handlers/project-store.ts';
import { recordVisitWhenQueueClaimed } from './event-handlers/record-visit-when-queue-claimed.ts';
import { recordVisitWhenQueueCompleted } from './event-handlers/record-visit-when-queue-completed.ts';
import { recordVisitWhenQueueJoined } from './event-handlers/record-visit-when-queue-joined.ts';
import { reinstateStampsWhenRefundFailed } from './event-handlers/reinstate-stamps-when-refund-failed.ts';
import { releaseVoucherWhenOrderCancelled, releaseVoucherWhenOrderExpired } from './event-handlers/release-voucher-when-order-ended.ts';
import { takeBackStampsWhenOrderRefunded } from './event-handlers/take-back-stamps-when-order-refunded.ts';
import { announceExpiringVouchers } from './jobs/announce-expiring-vouchers.ts';
import { dropOldCodes } from './jobs/drop-old-codes.ts';
import { dropOldRequests } from './jobs/drop-old-requests.ts';
import { expireMultiStamps } from './jobs/expire-multi-stamps.ts';
import { expireVouchers } from './jobs/expire-vouchers.ts';
import { cancelMultiStamp } from './operations/cancel-multi-stamp.ts';
import { confirmMultiStamp } from './operations/confirm-multi-stamp.ts';
import { customerState } from './operations/customer-state.ts';
import { generateStampCode } from './operations/generate-stamp-code.ts';
import { grantStamp } from './operations/grant-stamp.ts';
import { listPendingStamps } from './operations/list-pending-stamps.ts';
import { multiStampStatus } from './operations/multi-stamp-status.ts';
import { redeemStampCode } from './operations/redeem-stamp-code.ts';
import { redeemVoucher } from './operations/redeem-voucher.ts';
import { requestMultiStamp } from './operations/request-multi-stamp.ts';
import { resolvePendingStamp } from './operations/resolve-pending-stamp.ts';
import { reviewStamp } from './operations/review-stamp.ts';
import { syncOfflineStamps } from './operations/sync-offline-stamps.ts';
import { undoStamp } from './operations/undo-stamp.ts';
import { handleAwardOrder } from './rpc-handlers/award-order.ts';
import { handleReleaseVoucher } from './rpc-handlers/release-voucher.ts';
import { handleReserveVoucher } from './rpc-handlers/reserve-voucher.ts';
import { handleVoucherDetails } from './rpc-handlers/voucher-details.ts';
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
