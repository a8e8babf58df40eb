import { on } from '@corner/chassis';
import { type EventOf, paymentDisputed } from '@corner/contracts';
import { noteDispute } from '../tables/vouchers.ts';

/** While a payment is disputed, nobody uses the vouchers its stamps are behind. */
export const holdVouchersWhenPaymentDisputed = on(paymentDisputed, ({ data, sequence }: EventOf<typeof paymentDisputed>, tx) =>
  noteDispute(tx, data, sequence),
);
