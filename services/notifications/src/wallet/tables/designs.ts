import type { Transaction } from '@corner/chassis';
import type { DataOf, directoryProgramme, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { markChanged } from './mark-changed.ts';

const none = z.object({});

/** Keeps a store’s name and colours unless newer ones are kept, and marks its passes when that shows. */
export async function keepStoreDesign(
  tx: Transaction,
  { id, version, name, branding }: DataOf<typeof directoryStore>,
  at: Date,
): Promise<void> {
  const background = branding.background_color ?? branding.primary_color;
  await tx.query(sql.prepared('keep-pass-store', none)`
    with kept as (
      insert into pass_design as d (store_id, store_version, name, logo_url, background)
      values (${id}, ${version}, ${name}, ${branding.logo_url}, ${background})
      on conflict (store_id) do update
      set store_version = excluded.store_version, name = excluded.name, logo_url = excluded.logo_url, background = excluded.background
      where d.store_version < excluded.store_version
      returning store_id, (old.name, old.logo_url, old.background) is distinct from (new.name, new.logo_url, new.background) as shows
    )
    ${markChanged(at)}
    from kept
    where pass.store_id = kept.store_id and kept.shows`);
}

/** Keeps a programme’s goal and reward unless newer ones are kept, and marks the store’s stamp cards when that shows. */
export async function keepProgrammeDesign(tx: Transaction, programme: DataOf<typeof directoryProgramme>, at: Date): Promise<void> {
  await tx.query(sql.prepared('keep-pass-programme', none)`
    with kept as (
      insert into pass_design as d (store_id, programme_version, goal, reward_title)
      values (${programme.store_id}, ${programme.version}, ${programme.goal}, ${programme.reward_title})
      on conflict (store_id) do update
      set programme_version = excluded.programme_version, goal = excluded.goal, reward_title = excluded.reward_title
      where d.programme_version < excluded.programme_version
      returning store_id, (old.goal, old.reward_title) is distinct from (new.goal, new.reward_title) as shows
    )
    ${markChanged(at)}
    from kept
    where pass.store_id = kept.store_id and kept.shows and pass.kind = 'stamp_card'`);
}
