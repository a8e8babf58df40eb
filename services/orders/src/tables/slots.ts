import type { Queries, Transaction } from '@corner/chassis';
import type { DataOf, directorySlots } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { instant } from './orders.ts';

const none = z.object({});

/** Keeps a store's slots unless ones as new are kept already. A slot that is gone is closed; a capacity lowered puts nobody out. */
export async function keepSlots(tx: Queries, { store_id, version, slots }: DataOf<typeof directorySlots>): Promise<void> {
  const newer = await tx.maybeOne(sql.prepared('keep-slot-list', z.object({ store_id: z.string() }))`
    insert into slot_list (store_id, version) values (${store_id}, ${version})
    on conflict (store_id) do update set version = excluded.version where slot_list.version < excluded.version
    returning store_id`);
  if (!newer) return;
  // Locked in order of id, as whoever takes a place does.
  await tx.query(sql.prepared('lock-slots', none)`select 1 from slot where store_id = ${store_id} order by id for update`);
  await tx.query(sql.prepared('keep-slots', none)`
    with given as (
      select * from jsonb_to_recordset(${sql.jsonb(slots)}) as s(id uuid, starts_at timestamptz, ends_at timestamptz, capacity integer, open boolean)
    ), closed as (
      update slot set open = false where store_id = ${store_id} and open and id not in (select id from given)
    )
    insert into slot (id, store_id, starts_at, ends_at, capacity, open)
    select id, ${store_id}, starts_at, ends_at, capacity, open from given
    on conflict (id) do update
    set starts_at = excluded.starts_at, ends_at = excluded.ends_at, capacity = excluded.capacity, open = excluded.open,
        beyond = greatest(0, slot.used - excluded.capacity)
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

/** Locks two slots of a store in order of id, so that two moves in opposite directions wait for each other once. */
export const lockSlots = (tx: Transaction, storeId: string, ids: readonly string[]): Promise<readonly z.output<typeof SlotRow>[]> =>
  tx.any(sql.prepared('lock-two-slots', SlotRow)`
    select id, ${instant(sql.fragment`starts_at`)} as starts_at, ${instant(sql.fragment`ends_at`)} as ends_at, capacity, used, open
    from slot where store_id = ${storeId} and id = any(${sql.array([...ids], 'uuid')}) order by id for update`);
