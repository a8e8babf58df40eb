import { sql } from 'slonik';
import { z } from 'zod';
import { type ApiResponse, customer, worker } from './callers.ts';
import { eventsOf } from './rows.ts';
import type { OpenStore, Running } from './running.ts';

/** Creates a paid order to collect, with functions to send delay notices and to read its state. */
export async function lateOrder(running: Running, store: OpenStore, sub?: string) {
  const { order_id } = await customer(running, sub).paid(store, { order_type: 'collect', collection_mode: 'now' });
  const id: string = order_id;
  const staff = worker(running, store);
  return {
    id,
    staff,
    notify: async (request: Record<string, unknown>): Promise<ApiResponse> =>
      await staff.call('POST', `/api/v1/orders/${id}/notify-delay`, { store_id: store.id, ...request }),
    /** The data of its published order.running_late events, in order. */
    published: async () => (await eventsOf(running, id)).filter(({ type }) => type === 'order.running_late').map(({ data }) => data),
    /** The order's row. */
    row: async () =>
      await running.service.database.oneFirst(sql.type(z.object({ row: z.record(z.string(), z.any()) }))`
        select to_jsonb(o) as row from orders o where id = ${id}`),
  };
}
