import { awardStampsWhenOrderPaid } from './event-handlers/award-stamps-when-order-paid.ts';
import { holdVouchersWhenPaymentDisputed } from './event-handlers/hold-vouchers-when-payment-disputed.ts';
import { projectCustomer } from './event-handlers/project-customer.ts';
import { projectProgramme } from './event-handlers/project-programme.ts';
import { projectStaff } from './event-handlers/project-staff.ts';
import { projectStore } from './event-handlers/project-store.ts';
import { reinstateStampsWhenRefundFailed } from './event-handlers/reinstate-stamps-when-refund-failed.ts';
import { releaseVoucherWhenOrderCancelled, releaseVoucherWhenOrderExpired } from './event-handlers/release-voucher-when-order-ended.ts';
import { takeBackStampsWhenOrderRefunded } from './event-handlers/take-back-stamps-when-order-refunded.ts';

/** What loyalty does when something has happened. */
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
  holdVouchersWhenPaymentDisputed,
};
