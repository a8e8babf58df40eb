import type { OperationsOf } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from './context.ts';
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

/** Every operation of loyalty. */
export const operations: OperationsOf<typeof loyalty, Context> = {
  customerState,
  cancelMultiStamp,
  confirmMultiStamp,
  requestMultiStamp,
  multiStampStatus,
  listPendingStamps,
  resolvePendingStamp,
  redeemVoucher,
  generateStampCode,
  redeemStampCode,
  grantStamp,
  reviewStamp,
  syncOfflineStamps,
  undoStamp,
};
