import { NoColumns, type Queries, type Transaction } from '@corner/chassis';
import type { DataOf, directoryCustomer, directoryMenu, directorySlots, directoryStore } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { MenuRow } from '../rules/menu-rows.ts';
import type { Closing } from '../rules/taking-orders.ts';
import { SlotRow, slotColumns } from './rows.ts';

/**
 * Writes a store's snapshot unless the same version or a newer one is stored. Its last order number is kept. A change of the seller shown
 * on invoices becomes a new row.
 */
export async function writeStore(queries: Queries, store: DataOf<typeof directoryStore>): Promise<void> {
  await queries.query(sql.prepared('write-store', NoColumns)`
    with given as (
      select ${store.name}::text as name, ${store.legal_name}::text as legal_name, ${store.address && JSON.stringify(store.address)}::jsonb as address,
        ${store.vat_number}::text as vat_number, ${store.time_zone}::text as time_zone, ${store.language}::text as language
    ),
    known as (
      select n.version from given g, (select * from seller where store_id = ${store.id} order by version desc limit 1) n
      where (n.name, n.legal_name, n.address, n.vat_number, n.time_zone, n.language)
        is not distinct from (g.name, g.legal_name, g.address, g.vat_number, g.time_zone, g.language)
    ),
    written as (
    insert into store (id, version, code, name, currency, time_zone, connected_account_id, fee_bps, on_behalf_of, platform_covers_refunds,
      auto_accept, accept_within_minutes, uncollected_after_hours, refund_window_days, staff_refund_limit_pence, disputes_borne_by, delayed_payment_methods,
      hours, live, listed_with_account, welcome_message, closures, paused_until, address, phone, position, pace, seller_version)
    values (${store.id}, ${store.version}, ${store.code}, ${store.name}, ${store.currency}, ${store.time_zone}, ${store.connected_account_id},
      ${store.fee_bps}, ${store.on_behalf_of}, ${store.platform_covers_refunds}, ${store.auto_accept}, ${store.accept_within_minutes}, ${store.uncollected_after_hours}, ${store.refund_window_days},
      ${store.staff_refund_limit_pence}, ${store.disputes_borne_by}, ${store.delayed_payment_methods},
      ${sql.jsonb(store.hours)}, ${store.status === 'live'}, ${store.listing === 'with_account'}, ${store.welcome_message},
      ${sql.jsonb(store.closures)}, ${store.paused_until}, ${store.address_shown && store.address ? JSON.stringify(store.address) : null}, ${store.phone}, ${store.position && JSON.stringify(store.position)}, ${store.pace && JSON.stringify(store.pace)}, coalesce((select version from known), ${store.version}))
    on conflict (id) do update
    set version = excluded.version, code = excluded.code, name = excluded.name, currency = excluded.currency, time_zone = excluded.time_zone,
        connected_account_id = excluded.connected_account_id, fee_bps = excluded.fee_bps, on_behalf_of = excluded.on_behalf_of,
        platform_covers_refunds = excluded.platform_covers_refunds, auto_accept = excluded.auto_accept, accept_within_minutes = excluded.accept_within_minutes,
        uncollected_after_hours = excluded.uncollected_after_hours,
        refund_window_days = excluded.refund_window_days, staff_refund_limit_pence = excluded.staff_refund_limit_pence,
        disputes_borne_by = excluded.disputes_borne_by,
        delayed_payment_methods = excluded.delayed_payment_methods, hours = excluded.hours, live = excluded.live, listed_with_account = excluded.listed_with_account, welcome_message = excluded.welcome_message,
        closures = excluded.closures, paused_until = excluded.paused_until,
        address = excluded.address, phone = excluded.phone, position = excluded.position, pace = excluded.pace, seller_version = excluded.seller_version
    where store.version < excluded.version
    returning id, version, seller_version
    )
    insert into seller (store_id, version, name, legal_name, address, vat_number, time_zone, language)
    select w.id, w.version, g.name, g.legal_name, g.address, g.vat_number, g.time_zone, g.language
    from written w, given g where w.seller_version = w.version`);
}

const ClosingRow = z.object({
  time_zone: z.string(),
  closures: z.array(z.object({ starts_at: z.string(), ends_at: z.string() })),
});

/** Reads when a store is closed. A store without a snapshot is never closed. */
export const findClosing = async (queries: Queries, storeId: string): Promise<Closing> =>
  (await queries.maybeOne(sql.prepared('find-closing', ClosingRow)`select time_zone, closures from store where id = ${storeId}`)) ?? {
    time_zone: 'UTC',
    closures: [],
  };

type Menu = DataOf<typeof directoryMenu>;

export const raiseMenuVersion = async (tx: Queries, { store_id, version }: Menu): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('raise-menu-version', z.object({ store_id: z.string() }))`
    insert into menu (store_id, version) values (${store_id}, ${version})
    on conflict (store_id) do update set version = excluded.version where menu.version < excluded.version
    returning store_id`)) !== null;

/**
 * Locks all items of a store in the order of their ids, like placing an order: {@link writeMenuItems} then changes and retires them in any
 * order.
 */
export const lockMenuItems = async (tx: Queries, storeId: string): Promise<void> =>
  void (await tx.query(sql.prepared('lock-menu-items', NoColumns)`
    select from menu_item where store_id = ${storeId} order by id for update`));

/**
 * Writes the items and choices that differ from the stored ones, since a change of one price brings the whole menu. Taken units stay
 * taken, and switches stay as staff set them. A missing item or choice can no longer be ordered.
 */
export async function writeMenuItems(tx: Queries, { store_id }: Menu, rows: readonly MenuRow[]): Promise<void> {
  await tx.query(sql.prepared('write-menu-items', NoColumns)`
    insert into menu_item (store_id, id, kind, position, name, price_pence, vat_rate_bps, prep_minutes, available, stock, ${shownColumns})
    select ${store_id}, id, kind, position, name, price_pence, vat_rate_bps, prep_minutes, available, stock, ${shownColumns}
    from jsonb_populate_recordset(null::menu_item, ${sql.jsonb(rows)})
    order by id
    on conflict (store_id, id) do update
    set (kind, position, name, price_pence, vat_rate_bps, prep_minutes, available, ${shownColumns}) = (${excluded}),
        stock = case
          when menu_item.left_by_staff then menu_item.stock
          when excluded.stock is null then null
          else greatest(excluded.stock, menu_item.taken) end,
        directory_stock = case when menu_item.left_by_staff then excluded.stock end
    where (${stored}, case when menu_item.left_by_staff then menu_item.directory_stock else menu_item.stock end)
      is distinct from (${excluded}, excluded.stock)`);
  await tx.query(sql.prepared('retire-menu-items', NoColumns)`
    update menu_item set available = false
    where store_id = ${store_id} and available and not (id = any(${sql.array(
      rows.map(({ id }) => id),
      'text',
    )}))`);
}

const shown = ['make_minutes', 'vat', 'category', 'description', 'image_url', 'allergens', 'diet', 'options'] as const;
const compared = ['kind', 'position', 'name', 'price_pence', 'vat_rate_bps', 'prep_minutes', 'available', ...shown];
const namesSql = (names: readonly string[], of?: 'excluded' | 'menu_item'): FragmentSqlToken =>
  sql.fragment`${sql.join(
    names.map((name) => sql.identifier(of === undefined ? [name] : [of, name])),
    sql.fragment`, `,
  )}`;
const shownColumns = namesSql(shown);
const excluded = namesSql(compared, 'excluded');
const stored = namesSql(compared, 'menu_item');

const Written = z.object({ id: z.string() });

/**
 * Writes a store's promo codes. Their uses stay counted. A missing code can no longer be used. Returns the ids left out because another
 * store has them.
 */
export async function writePromos(tx: Queries, storeId: string, promos: Menu['promos']): Promise<readonly string[]> {
  await tx.query(sql.prepared('retire-promos', NoColumns)`update promo set active = false where store_id = ${storeId} and active`);
  const written = await tx.anyFirst(sql.prepared('write-promos', Written)`
    insert into promo (id, store_id, code, label, kind, value, min_subtotal_pence, starts_at, ends_at, max_uses, max_per_customer, first_order_only, active)
    select id, ${storeId}, code, label, kind, value, min_subtotal_pence, starts_at, ends_at, max_uses, max_per_customer, first_order_only, active
    from jsonb_to_recordset(${sql.jsonb(promos)}) as p(id uuid, code text, label text, kind text, value integer, min_subtotal_pence integer,
      starts_at timestamptz, ends_at timestamptz, max_uses integer, max_per_customer integer, first_order_only boolean, active boolean)
    on conflict (id) do update
    set code = excluded.code, label = excluded.label, kind = excluded.kind, value = excluded.value, min_subtotal_pence = excluded.min_subtotal_pence,
        starts_at = excluded.starts_at, ends_at = excluded.ends_at, max_uses = excluded.max_uses, max_per_customer = excluded.max_per_customer,
        first_order_only = excluded.first_order_only, active = excluded.active, over_limit = greatest(0, promo.uses - excluded.max_uses)
    where promo.store_id = excluded.store_id
    returning id`);
  return leftOut(promos, written);
}

const leftOut = (given: readonly { readonly id: string }[], written: readonly string[]): string[] =>
  given.flatMap(({ id }) => (written.includes(id) ? [] : [id]));

type SlotList = DataOf<typeof directorySlots>;

export const raiseSlotListVersion = async (tx: Queries, { store_id, version }: SlotList): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('raise-slot-list-version', z.object({ store_id: z.string() }))`
    insert into slot_list (store_id, version) values (${store_id}, ${version})
    on conflict (store_id) do update set version = excluded.version where slot_list.version < excluded.version
    returning store_id`)) !== null;

/** Locks the slots that a list changes, in order of id: the open ones of its store and those it names. A store keeps all its past slots. */
export async function lockListedSlots(tx: Queries, { store_id, slots }: SlotList): Promise<void> {
  const named = sql.array(
    slots.map(({ id }) => id),
    'uuid',
  );
  await tx.query(sql.prepared('lock-listed-slots', NoColumns)`
    select 1 from slot where store_id = ${store_id} and (open or id = any(${named})) order by id for update`);
}

/**
 * Writes a store's slots. A missing slot is closed. Used places stay used when the capacity is lowered below them. Returns the ids left
 * out because another store has them.
 */
export async function writeSlots(tx: Queries, { store_id, slots }: SlotList): Promise<readonly string[]> {
  const written = await tx.anyFirst(sql.prepared('write-slots', Written)`
    with given as (
      select * from jsonb_to_recordset(${sql.jsonb(slots)}) as s(id uuid, starts_at timestamptz, ends_at timestamptz, capacity integer, open boolean)
    ), closed as (
      update slot set open = false where store_id = ${store_id} and open and id not in (select id from given)
    )
    insert into slot (id, store_id, starts_at, ends_at, capacity, open)
    select id, ${store_id}, starts_at, ends_at, capacity, open from given
    on conflict (id) do update
    set starts_at = excluded.starts_at, ends_at = excluded.ends_at, capacity = excluded.capacity, open = excluded.open,
        over_capacity = greatest(0, slot.used - excluded.capacity)
    where slot.store_id = excluded.store_id
    returning id`);
  return leftOut(slots, written);
}

/** Locks slots of a store and returns them. They are locked in order of id, so two moves in opposite directions cannot deadlock. */
export const lockSlots = (tx: Transaction, storeId: string, ids: readonly string[]): Promise<readonly SlotRow[]> =>
  tx.any(sql.prepared('lock-slots', SlotRow)`
    select ${slotColumns} from slot t where t.store_id = ${storeId} and t.id = any(${sql.array([...ids], 'uuid')}) order by t.id for update`);

export interface SlotMove {
  readonly storeId: string;
  readonly orderId: string;
  readonly from: string;
  readonly to: SlotRow;
  readonly collectAt: string;
}

export async function moveToSlot(tx: Transaction, { storeId, orderId, from, to, collectAt }: SlotMove): Promise<void> {
  await tx.query(sql.prepared('move-to-slot', NoColumns)`
    with hold_moved as (
      update hold set ref = ${to.id} where order_id = ${orderId} and kind = 'slot' and ref = ${from} and state <> 'released'
    ), places_moved as (
      update slot set used = used + case when id = ${to.id} then 1 else -1 end where store_id = ${storeId} and id in (${to.id}, ${from})
    )
    update orders
    set slot_id = ${to.id}, first_collection_at = coalesce(first_collection_at, requested_collection_at),
        requested_collection_at = ${collectAt}, version = version + 1
    where id = ${orderId}`);
}

export async function writeContact(
  queries: Queries,
  { id, version, name, push_devices, email, language }: DataOf<typeof directoryCustomer>,
): Promise<void> {
  await queries.query(sql.prepared('write-contact', NoColumns)`
    insert into contact (customer_id, version, name, has_push, has_email, language)
    values (${id}, ${version}, ${name}, ${push_devices.length > 0}, ${Boolean(email)}, ${language})
    on conflict (customer_id) do update
    set version = excluded.version, name = excluded.name, has_push = excluded.has_push, has_email = excluded.has_email, language = excluded.language
    where contact.version < excluded.version`);
}
