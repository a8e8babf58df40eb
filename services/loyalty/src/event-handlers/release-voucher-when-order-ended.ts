import { on } from '@corner/chassis';
import { type EventOf, orderCancelled, orderExpired } from '@corner/contracts';
import { releaseReserved } from '../tables/vouchers.ts';

type Ended = EventOf<typeof orderExpired>['data'];

/** A voucher still reserved by an unpaid order that ended is free again. A paid order's voucher was used. */
const release = ({ order_id, store_id, voucher_id, was_paid }: Ended, tx: Parameters<typeof releaseReserved>[0]): Promise<unknown> =>
  voucher_id && !was_paid ? releaseReserved(tx, store_id, voucher_id, order_id) : Promise.resolve();

export const releaseVoucherWhenOrderExpired = on(
  orderExpired,
  async ({ data }: EventOf<typeof orderExpired>, tx) => void (await release(data, tx)),
);
export const releaseVoucherWhenOrderCancelled = on(
  orderCancelled,
  async ({ data }: EventOf<typeof orderCancelled>, tx) => void (await release(data, tx)),
);
