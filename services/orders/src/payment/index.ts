export type { PaymentContext } from './context.ts';
export { orderIdFor, releaseForOrder, reserveAgain, reserveForOrder, voucherOf, withVoucher } from './sagas.ts';
export { findPayableOrder, findPayableOrderByIntent, type PayableLeg, PayableOrder, payableColumns } from './tables/payable-orders.ts';
export type { Charge } from './tables/write-payment.ts';
export { acceptPayment, chargesOf, endUnpaidOrder, type ReportedCharge, repeatAfterRace } from './transactions.ts';
