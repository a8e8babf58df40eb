import type { Queries } from '@corner/chassis';
import type { DataOf, directoryMenu, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { foldCode } from '../rules/promo.ts';

const none = z.object({});

/** Keeps a store's snapshot unless one as new is kept already. Its order numbers go on. */
export async function keepStore(tx: Queries, store: DataOf<typeof directoryStore>): Promise<void> {
  await tx.query(sql.prepared('keep-store', none)`
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

/** Keeps a menu: prices and stock as the snapshot has them, what orders have taken as it is. Items that are gone can no longer be ordered. */
export async function keepMenu(tx: Queries, menu: DataOf<typeof directoryMenu>): Promise<void> {
  const newer = await tx.maybeOne(sql.prepared('keep-menu', z.object({ store_id: z.string() }))`
    insert into menu (store_id, version) values (${menu.store_id}, ${menu.version})
    on conflict (store_id) do update set version = excluded.version where menu.version < excluded.version
    returning store_id`);
  if (!newer) return;
  await tx.query(sql.prepared('keep-menu-items', none)`
    insert into menu_item (store_id, id, name, price_pence, prep_minutes, available, stock)
    select ${menu.store_id}, i.id, i.name, i.price_pence, i.prep_minutes, i.available, i.stock
    from jsonb_to_recordset(${sql.jsonb(menu.items)}) as i(id text, name text, price_pence integer, prep_minutes integer, available boolean, stock integer)
    order by i.id
    on conflict (store_id, id) do update
    set name = excluded.name, price_pence = excluded.price_pence, prep_minutes = excluded.prep_minutes, available = excluded.available,
        stock = case when excluded.stock is null then null else greatest(excluded.stock, menu_item.taken) end`);
  await tx.query(sql.prepared('retire-menu-items', none)`
    update menu_item set available = false
    where store_id = ${menu.store_id} and not (id = any(${sql.array(
      menu.items.map(({ id }) => id),
      'text',
    )}))`);
  await keepPromos(tx, menu);
}

/** Promo codes as the menu has them, and their uses as they are. A code that is gone can no longer be given. */
async function keepPromos(tx: Queries, { store_id, promos }: DataOf<typeof directoryMenu>): Promise<void> {
  await tx.query(sql.prepared('retire-promos', none)`update promo set active = false where store_id = ${store_id} and active`);
  await tx.query(sql.prepared('keep-promos', none)`
    insert into promo (id, store_id, code, label, kind, value, min_subtotal_pence, starts_at, ends_at, max_uses, max_per_customer, first_order_only, active)
    select id, ${store_id}, code, label, kind, value, min_subtotal_pence, starts_at, ends_at, max_uses, max_per_customer, first_order_only, active
    from jsonb_to_recordset(${sql.jsonb(promos.map((promo) => ({ ...promo, code: foldCode(promo.code) })))}) as p(id uuid, code text, label text, kind text, value integer, min_subtotal_pence integer,
      starts_at timestamptz, ends_at timestamptz, max_uses integer, max_per_customer integer, first_order_only boolean, active boolean)
    on conflict (id) do update
    set code = excluded.code, label = excluded.label, kind = excluded.kind, value = excluded.value, min_subtotal_pence = excluded.min_subtotal_pence,
        starts_at = excluded.starts_at, ends_at = excluded.ends_at, max_uses = excluded.max_uses, max_per_customer = excluded.max_per_customer,
        first_order_only = excluded.first_order_only, active = excluded.active, beyond = greatest(0, promo.uses - excluded.max_uses)
    where promo.store_id = excluded.store_id`);
}
