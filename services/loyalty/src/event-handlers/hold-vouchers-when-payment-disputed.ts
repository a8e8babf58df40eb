import { on } from '@corner/chassis';
import { paymentDisputed } from '@corner/contracts';
import { enterDispute } from '../tables/order-ledger.ts';

/** Records whether an order's payment is disputed. While it is, the vouchers that its stamps completed cannot be used. */
export const holdVouchersWhenPaymentDisputed = on(paymentDisputed, ({ data, sequence }, tx) => enterDispute(tx, data, sequence));
