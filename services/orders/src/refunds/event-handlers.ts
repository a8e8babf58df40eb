import { on } from '@corner/chassis';
import { depositReturned } from '@corner/contracts';
import { reserveDepositRefund } from './transactions/reserve-refund.ts';

const reasons = {
  cancelled: 'The booking was cancelled, so its deposit goes back.',
  not_due: 'The booking waited for no such deposit when it was paid.',
} as const;

export const refundDepositWhenReturned = on(depositReturned, ({ data }, tx) =>
  reserveDepositRefund(tx, { storeId: data.store_id, orderId: data.order_id, reason: reasons[data.cause] }),
);
