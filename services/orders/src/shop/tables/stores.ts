import type { Queries } from '@corner/chassis';
import type { DataOf, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Closing } from '../rules/opening-hours.ts';

/** Writes a store's snapshot unless the same version or a newer one is stored. Its last order number is kept. */
export async function writeStore(queries: Queries, store: DataOf<typeof directoryStore>): Promise<void> {
  await queries.query(sql.prepared('write-store', z.object({}))`
    insert into store (id, version, code, name, currency, time_zone, connected_account_id, fee_bps, on_behalf_of, platform_covers_refunds,
      auto_accept, refund_window_days, disputes_borne_by, hours, live, welcome_message, closures, paused_until)
    values (${store.id}, ${store.version}, ${store.code}, ${store.name}, ${store.currency}, ${store.time_zone}, ${store.connected_account_id},
      ${store.fee_bps}, ${store.on_behalf_of}, ${store.platform_covers_refunds}, ${store.auto_accept}, ${store.refund_window_days},
      ${store.disputes_borne_by},
      ${sql.jsonb(store.hours)}, ${store.status === 'live'}, ${store.welcome_message},
      ${sql.jsonb(store.closures)}, ${store.paused_until})
    on conflict (id) do update
    set version = excluded.version, code = excluded.code, name = excluded.name, currency = excluded.currency, time_zone = excluded.time_zone,
        connected_account_id = excluded.connected_account_id, fee_bps = excluded.fee_bps, on_behalf_of = excluded.on_behalf_of,
        platform_covers_refunds = excluded.platform_covers_refunds, auto_accept = excluded.auto_accept,
        refund_window_days = excluded.refund_window_days, disputes_borne_by = excluded.disputes_borne_by, hours = excluded.hours, live = excluded.live, welcome_message = excluded.welcome_message,
        closures = excluded.closures, paused_until = excluded.paused_until
    where store.version < excluded.version`);
}

const ClosingRow = z.object({
  time_zone: z.string(),
  closures: z.array(z.object({ starts_at: z.string(), ends_at: z.string() })),
});

/** Reads when a store is closed. A store of which no snapshot has arrived is never closed. */
export const findClosing = async (queries: Queries, storeId: string): Promise<Closing> =>
  (await queries.maybeOne(sql.prepared('find-closing', ClosingRow)`select time_zone, closures from store where id = ${storeId}`)) ?? {
    time_zone: 'UTC',
    closures: [],
  };
