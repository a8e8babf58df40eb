import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { markPassesChanged } from './pass-updates.ts';

/** A card's stamp count as of an event in the card's own order. */
export interface Card {
  readonly customerId: string;
  readonly storeId: string;
  readonly sequence: number;
  readonly stamps: number;
  readonly goal: number;
}

/**
 * Upserts the counts of cards unless the stored ones are newer, and marks the cards' passes as changed. Returns the number of passes. A
 * pass is looked up by its key for each card, because a join is planned as a scan of every pass while the table is young.
 */
export async function upsertCards(tx: Transaction, cards: readonly Card[]): Promise<number> {
  const { rowCount } = await tx.query(sql.prepared('upsert-pass-cards', z.object({}))`
    with upserted as (
      insert into pass_card as c (customer_id, store_id, sequence, stamps, goal)
      select distinct on (n."customerId", n."storeId") n."customerId", n."storeId", n.sequence, n.stamps, n.goal
      from jsonb_to_recordset(${sql.jsonb(cards as never)}) as n ("customerId" uuid, "storeId" uuid, sequence bigint, stamps int, goal int)
      order by n."customerId", n."storeId", n.sequence desc
      on conflict (customer_id, store_id) do update
      set sequence = excluded.sequence, stamps = excluded.stamps, goal = excluded.goal
      where c.sequence < excluded.sequence
      returning customer_id, store_id
    ), changed as (
      select (select p.serial from pass p where p.customer_id = u.customer_id and p.store_id = u.store_id and p.voucher_id is null) as serial
      from upserted u
    )
    ${markPassesChanged(tx.now)}
    where pass.serial = any(array(select serial from changed where serial is not null order by serial))`);
  return rowCount;
}
