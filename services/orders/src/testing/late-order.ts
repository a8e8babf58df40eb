import { sql } from 'slonik';
import { z } from 'zod';
import { type Answered, customer, worker } from './callers.ts';
import { toldOf } from './rows.ts';
import type { OpenStore, Running } from './running.ts';

/** A paid order to collect, staff who are late with it, and what came of that. */
export async function lateOrder(running: Running, store: OpenStore, sub?: string) {
  const { order_id } = await customer(running, sub).paid(store, { order_type: 'collect', collection_mode: 'now' });
  const id: string = order_id;
  const staff = worker(running, store);
  return {
    id,
    staff,
    late: async (wish: Record<string, unknown>): Promise<Answered> =>
      await staff.call('POST', `/api/v1/orders/${id}/notify-delay`, { store_id: store.id, ...wish }),
    /** What customers were told of delays, in order. */
    told: async () => (await toldOf(running, id)).filter(({ type }) => type === 'order.running_late').map(({ data }) => data),
    /** The order as it lies in the database. */
    row: async () =>
      await running.service.database.oneFirst(sql.type(z.object({ row: z.record(z.string(), z.any()) }))`
        select to_jsonb(o) as row from orders o where id = ${id}`),
  };
}
