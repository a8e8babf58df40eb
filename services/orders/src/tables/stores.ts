import type { Queries } from '@corner/chassis';
import type { DataOf, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** Writes a store's snapshot unless the same version or a newer one is stored. Its last order number is kept. */
export async function writeStore(queries: Queries, store: DataOf<typeof directoryStore>): Promise<void> {
  await queries.query(sql.prepared('write-store', z.object({}))`
    insert into store (id, version, code, name, currency, time_zone, connected_account_id, fee_bps, on_behalf_of, platform_covers_refunds,
      auto_accept, refund_window_days, hours, live, welcome_message)
    values (${store.id}, ${store.version}, ${store.code}, ${store.name}, ${store.currency}, ${store.time_zone}, ${store.connected_account_id},
      ${store.fee_bps}, ${store.on_behalf_of}, ${store.platform_covers_refunds}, ${store.auto_accept}, ${store.refund_window_days},
      ${sql.jsonb(store.hours)}, ${store.status === 'live'}, ${store.welcome_message})
    on conflict (id) do update
    set version = excluded.version, code = excluded.code, name = excluded.name, currency = excluded.currency, time_zone = excluded.time_zone,
        connected_account_id = excluded.connected_account_id, fee_bps = excluded.fee_bps, on_behalf_of = excluded.on_behalf_of,
        platform_covers_refunds = excluded.platform_covers_refunds, auto_accept = excluded.auto_accept,
        refund_window_days = excluded.refund_window_days, hours = excluded.hours, live = excluded.live, welcome_message = excluded.welcome_message
    where store.version < excluded.version`);
}
