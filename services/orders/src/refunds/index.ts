export { owedAttempts } from './rules.ts';
export { refundAtProvider, settleRefunds } from './sagas.ts';
export { findOpenRefunds, findRefund, findRefundable, insertRefund, type RefundRow } from './tables.ts';
export { settleRefund } from './transactions/settle-refund.ts';
