import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import type { DataOf, directorySlots } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const none = z.object({});

type SlotList = DataOf<typeof directorySlots>;

/** Raises the version of a store's slot list. Returns false when the same version or a newer one is stored. */
export const raiseSlotListVersion = async (tx: Queries, { store_id, version }: SlotList): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('raise-slot-list-version', z.object({ store_id: z.string() }))`
    insert into slot_list (store_id, version) values (${store_id}, ${version})
    on conflict (store_id) do update set version = excluded.version where slot_list.version < excluded.version
    returning store_id`)) !== null;

/** Locks all slots of a store, in order of id. */
export async function lockAllSlots(tx: Queries, storeId: string): Promise<void> {
  await tx.query(sql.prepared('lock-all-slots', none)`select 1 from slot where store_id = ${storeId} order by id for update`);
}

/** Writes a store's slots. A slot that is missing is closed. Places already used stay used when the capacity is lowered below them. */
export async function writeSlots(tx: Queries, { store_id, slots }: SlotList): Promise<void> {
  await tx.query(sql.prepared('write-slots', none)`
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
    where slot.store_id = excluded.store_id`);
}

export const SlotRow = z.object({
  id: z.string(),
  starts_at: z.string(),
  ends_at: z.string(),
  capacity: z.number().nullable(),
  used: z.number(),
  open: z.boolean(),
});
export type SlotRow = z.output<typeof SlotRow>;

/** Locks slots of a store and returns them. They are locked in order of id, so two moves in opposite directions cannot deadlock. */
export const lockSlots = (tx: Transaction, storeId: string, ids: readonly string[]): Promise<readonly SlotRow[]> =>
  tx.any(sql.prepared('lock-slots', SlotRow)`
    select id, ${instantOf(sql.fragment`starts_at`)} as starts_at, ${instantOf(sql.fragment`ends_at`)} as ends_at, capacity, used, open
    from slot where store_id = ${storeId} and id = any(${sql.array([...ids], 'uuid')}) order by id for update`);

export interface SlotMove {
  readonly storeId: string;
  readonly orderId: string;
  readonly from: string;
  readonly to: SlotRow;
}

/** Moves an order and its place from one locked slot to another. */
export async function moveToSlot(tx: Transaction, { storeId, orderId, from, to }: SlotMove): Promise<void> {
  await tx.query(sql.prepared('move-to-slot', none)`
    with hold_moved as (
      update hold set ref = ${to.id} where order_id = ${orderId} and kind = 'slot' and ref = ${from} and state <> 'released'
    ), places_moved as (
      update slot set used = used + case when id = ${to.id} then 1 else -1 end where store_id = ${storeId} and id in (${to.id}, ${from})
    )
    update orders
    set slot_id = ${to.id}, first_collection_at = coalesce(first_collection_at, requested_collection_at),
        requested_collection_at = ${to.starts_at}, version = version + 1
    where id = ${orderId}`);
}
