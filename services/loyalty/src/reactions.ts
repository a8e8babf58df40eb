import { awardStampsWhenOrderPaid } from './reactions/award-stamps-when-order-paid.ts';
import { holdVouchersWhenPaymentDisputed } from './reactions/hold-vouchers-when-payment-disputed.ts';
import { projectCustomer } from './reactions/project-customer.ts';
import { projectProgramme } from './reactions/project-programme.ts';
import { projectStaff } from './reactions/project-staff.ts';
import { projectStore } from './reactions/project-store.ts';
import { reinstateStampsWhenRefundFailed } from './reactions/reinstate-stamps-when-refund-failed.ts';
import { releaseVoucherWhenOrderCancelled, releaseVoucherWhenOrderExpired } from './reactions/release-voucher-when-order-ended.ts';
import { takeBackStampsWhenOrderRefunded } from './reactions/take-back-stamps-when-order-refunded.ts';

/** What loyalty does when something has happened. */
export const reactions = {
  projectStore,
  projectProgramme,
  projectCustomer,
  projectStaff,
  awardStampsWhenOrderPaid,
  takeBackStampsWhenOrderRefunded,
  reinstateStampsWhenRefundFailed,
  releaseVoucherWhenOrderCancelled,
  releaseVoucherWhenOrderExpired,
  holdVouchersWhenPaymentDisputed,
};
