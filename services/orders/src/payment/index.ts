export { applyIntent, applyProviderState, checkPayment } from './sagas/apply-intent.ts';
export { orderIdFor, releaseForOrder, reserveAgain, reserveForOrder, voucherOf, withVoucher } from './sagas/reserve-voucher.ts';
export {
  abandonCancel,
  beginCancel,
  findPayableOrder,
  findPayableOrderByIntent,
  type PayableLeg,
  PayableOrder,
  payableColumns,
} from './tables/payable-orders.ts';
export { acceptPayment, endUnpaidOrder, repeatAfterRace } from './transactions/unpaid-order.ts';
