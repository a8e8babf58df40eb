import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Loyalty } from '../loyalty.ts';
import type { Running } from '../running.ts';

const Consumed = z.object({
  id: z.number(),
  type: z.string(),
  data: z.looseObject({
    order_id: z.string(),
    voucher_id: z.string().nullish(),
    was_paid: z.boolean().optional(),
    full: z.boolean().optional(),
    state: z.string().optional(),
  }),
});

export interface Vouchers {
  readonly ids: readonly string[];
  /** Consumes the events published since the last call as loyalty does. Returns contradictions with reservations. */
  follow(): Promise<string[]>;
  reserved(): string[];
}

/** Issues two vouchers, which all customers of the store compete for. */
export function issueVouchers({ service }: Running, loyalty: Loyalty, storeId: string): Vouchers {
  const ids = [randomUUID(), randomUUID()];
  for (const id of ids) loyalty.issue(id, { value_kind: 'amount', value: 150, item_id: null });
  const usedBy = new Map<string, string>();
  let last = 0;

  const consume = ({ type, data }: z.output<typeof Consumed>): string | null => {
    const { order_id } = data;
    const voucher = data.voucher_id ?? usedBy.get(order_id);
    if (!voucher) return null;
    if (type === 'order.paid') {
      usedBy.set(order_id, voucher);
      const fault = loyalty.redeem(voucher, order_id);
      return fault && `the voucher ${voucher} paid for ${order_id}, but ${fault}`;
    }
    const isBack = type === 'order.refunded' ? data.full : type === 'payment.disputed' ? data.state === 'lost' : data.was_paid === false;
    if (isBack) loyalty.giveBack(voucher, order_id);
    return null;
  };

  return {
    ids,
    async follow() {
      const published = await service.database.any(sql.type(Consumed)`
        select id, type, data from outbox
        where store_id = ${storeId} and id > ${last}
          and type in ('order.paid', 'order.expired', 'order.cancelled', 'order.refunded', 'payment.disputed')
        order by id`);
      last = published.at(-1)?.id ?? last;
      return published.flatMap((event) => consume(event) ?? []);
    },
    reserved: () => ids.filter((id) => loyalty.isReserved(id)),
  };
}
