export { orderIdFor, releaseForOrder, reserveAgain, reserveForOrder, voucherOf, withVoucher } from './sagas/reserve-voucher.ts';
export { settleIntent } from './sagas/settle-intent.ts';
export { checkPayment, settlePayment } from './sagas/settle-payment.ts';
export { expectedAt, isFirstOrder } from './tables.ts';
export { endUnpaidOrder, paidEvents, repeatAfterRace } from './transactions.ts';
