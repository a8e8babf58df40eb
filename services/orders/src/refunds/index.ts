export type { RefundsContext } from './context.ts';
export { remainingPence } from './rules/amounts.ts';
export { refundView } from './rules/outcomes.ts';
export { applyRefunds, refundAtProvider } from './sagas.ts';
export { findOpenRefunds, findRefund, findRefunds, type RefundRow } from './tables.ts';
export { recordRefundOutcome } from './transactions/record-outcome.ts';
export { type RefundingPerson, reserveOwedRefund, reserveRefundOfStaff, reserveRestRefund } from './transactions/reserve-refund.ts';
