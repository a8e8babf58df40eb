import { notBuilt, type OperationsOf } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from './context.ts';
import { customerState } from './operations/customer-state.ts';
import { grantStamp } from './operations/grant-stamp.ts';

/** Every operation of loyalty. */
export const operations: OperationsOf<typeof loyalty, Context> = {
  customerState,
  cancelMultiStamp: notBuilt,
  confirmMultiStamp: notBuilt,
  requestMultiStamp: notBuilt,
  multiStampStatus: notBuilt,
  listPendingStamps: notBuilt,
  resolvePendingStamp: notBuilt,
  redeemVoucher: notBuilt,
  generateStampCode: notBuilt,
  redeemStampCode: notBuilt,
  grantStamp,
  reviewStamp: notBuilt,
  syncOfflineStamps: notBuilt,
  undoStamp: notBuilt,
};
