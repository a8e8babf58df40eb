import type { Transaction } from '@corner/chassis';
import type { DataOf, directoryProgramme, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { markPassesChanged } from './pass-updates.ts';

const none = z.object({});

/**
 * Upserts a store's name, logo and colour unless the stored ones are newer. Marks the store's passes as changed when they look different.
 * Returns their number.
 */
export async function upsertStoreDesign(tx: Transaction, { id, version, name, branding }: DataOf<typeof directoryStore>): Promise<number> {
  const background = branding.background_color ?? branding.primary_color;
  const { rowCount } = await tx.query(sql.prepared('upsert-store-design', none)`
    with upserted as (
      insert into pass_design as d (store_id, store_version, name, logo_url, background)
      values (${id}, ${version}, ${name}, ${branding.logo_url}, ${background})
      on conflict (store_id) do update
      set store_version = excluded.store_version, name = excluded.name, logo_url = excluded.logo_url, background = excluded.background
      where d.store_version < excluded.store_version
      returning store_id, (old.name, old.logo_url, old.background) is distinct from (new.name, new.logo_url, new.background) as visible
    )
    ${markPassesChanged(tx.now)}
    from upserted
    where pass.store_id = ${id} and upserted.visible`);
  return rowCount;
}

/**
 * Upserts a programme's goal and reward unless the stored ones are newer. Marks the store's stamp cards as changed when they look
 * different. Returns their number.
 */
export async function upsertProgrammeDesign(tx: Transaction, programme: DataOf<typeof directoryProgramme>): Promise<number> {
  const { rowCount } = await tx.query(sql.prepared('upsert-programme-design', none)`
    with upserted as (
      insert into pass_design as d (store_id, programme_version, goal, reward_title)
      values (${programme.store_id}, ${programme.version}, ${programme.goal}, ${programme.reward_title})
      on conflict (store_id) do update
      set programme_version = excluded.programme_version, goal = excluded.goal, reward_title = excluded.reward_title
      where d.programme_version < excluded.programme_version
      returning store_id, (old.goal, old.reward_title) is distinct from (new.goal, new.reward_title) as visible
    )
    ${markPassesChanged(tx.now)}
    from upserted
    where pass.store_id = ${programme.store_id} and upserted.visible and pass.kind = 'stamp_card'`);
  return rowCount;
}
