import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { markPassesChanged } from './mark-passes-changed.ts';

/** A card's stamp count as of an event in the card's own order. */
export interface Card {
  readonly customerId: string;
  readonly storeId: string;
  readonly sequence: number;
  readonly stamps: number;
  readonly goal: number;
}

/** Upserts a card's count unless the stored one is newer, and marks the card's pass as changed. */
export async function upsertCard(tx: Transaction, { customerId, storeId, sequence, stamps, goal }: Card): Promise<void> {
  await tx.query(sql.prepared('upsert-pass-card', z.object({}))`
    with upserted as (
      insert into pass_card (customer_id, store_id, sequence, stamps, goal)
      values (${customerId}, ${storeId}, ${sequence}, ${stamps}, ${goal})
      on conflict (customer_id, store_id) do update
      set sequence = excluded.sequence, stamps = excluded.stamps, goal = excluded.goal
      where pass_card.sequence < excluded.sequence
      returning customer_id, store_id
    )
    ${markPassesChanged(tx.now)}
    from upserted
    where pass.customer_id = upserted.customer_id and pass.store_id = upserted.store_id and pass.kind = 'stamp_card'`);
}
