import type { Queries } from '@corner/chassis';
import type { DataOf, directoryMenu } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const none = z.object({});

type Menu = DataOf<typeof directoryMenu>;

/** Raises the version of a store's menu. Returns false when the same version or a newer one is stored. */
export const raiseMenuVersion = async (tx: Queries, { store_id, version }: Menu): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('raise-menu-version', z.object({ store_id: z.string() }))`
    insert into menu (store_id, version) values (${store_id}, ${version})
    on conflict (store_id) do update set version = excluded.version where menu.version < excluded.version
    returning store_id`)) !== null;

/** Writes a store's items. Units already taken stay taken. An item that is missing can no longer be ordered. */
export async function writeMenuItems(tx: Queries, { store_id, items }: Menu): Promise<void> {
  await tx.query(sql.prepared('write-menu-items', none)`
    insert into menu_item (store_id, id, name, price_pence, vat_rate_bps, prep_minutes, available, stock)
    select ${store_id}, i.id, i.name, i.price_pence, i.vat_rate_bps, i.prep_minutes, i.available, i.stock
    from jsonb_to_recordset(${sql.jsonb(items)}) as i(id text, name text, price_pence integer, vat_rate_bps integer, prep_minutes integer,
      available boolean, stock integer)
    order by i.id
    on conflict (store_id, id) do update
    set name = excluded.name, price_pence = excluded.price_pence, vat_rate_bps = excluded.vat_rate_bps, prep_minutes = excluded.prep_minutes, available = excluded.available,
        stock = case when excluded.stock is null then null else greatest(excluded.stock, menu_item.taken) end`);
  await tx.query(sql.prepared('retire-menu-items', none)`
    update menu_item set available = false
    where store_id = ${store_id} and not (id = any(${sql.array(
      items.map(({ id }) => id),
      'text',
    )}))`);
}

/** Writes a store's promo codes. Their uses stay counted. A code that is missing can no longer be used. */
export async function writePromos(tx: Queries, storeId: string, promos: Menu['promos']): Promise<void> {
  await tx.query(sql.prepared('retire-promos', none)`update promo set active = false where store_id = ${storeId} and active`);
  await tx.query(sql.prepared('write-promos', none)`
    insert into promo (id, store_id, code, label, kind, value, min_subtotal_pence, starts_at, ends_at, max_uses, max_per_customer, first_order_only, active)
    select id, ${storeId}, code, label, kind, value, min_subtotal_pence, starts_at, ends_at, max_uses, max_per_customer, first_order_only, active
    from jsonb_to_recordset(${sql.jsonb(promos)}) as p(id uuid, code text, label text, kind text, value integer, min_subtotal_pence integer,
      starts_at timestamptz, ends_at timestamptz, max_uses integer, max_per_customer integer, first_order_only boolean, active boolean)
    on conflict (id) do update
    set code = excluded.code, label = excluded.label, kind = excluded.kind, value = excluded.value, min_subtotal_pence = excluded.min_subtotal_pence,
        starts_at = excluded.starts_at, ends_at = excluded.ends_at, max_uses = excluded.max_uses, max_per_customer = excluded.max_per_customer,
        first_order_only = excluded.first_order_only, active = excluded.active, over_limit = greatest(0, promo.uses - excluded.max_uses)
    where promo.store_id = excluded.store_id`);
}
