import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { markChanged } from './mark-changed.ts';

const none = z.object({});

/** Something told of one card, with its place in the card’s own order. */
export interface CardNews {
  readonly customerId: string;
  readonly storeId: string;
  readonly sequence: number;
}

/** Keeps a card’s count unless a newer one is kept, and marks the card’s pass. */
export async function keepStamps(
  tx: Transaction,
  news: CardNews & { readonly stamps: number; readonly goal: number },
  at: Date,
): Promise<void> {
  await tx.query(sql.prepared('keep-pass-stamps', none)`
    with kept as (
      insert into pass_card (customer_id, store_id, sequence, stamps, goal)
      values (${news.customerId}, ${news.storeId}, ${news.sequence}, ${news.stamps}, ${news.goal})
      on conflict (customer_id, store_id) do update
      set sequence = excluded.sequence, stamps = excluded.stamps, goal = excluded.goal
      where pass_card.sequence < excluded.sequence
      returning customer_id, store_id
    )
    ${markChanged(at)}
    from kept
    where pass.customer_id = kept.customer_id and pass.store_id = kept.store_id and pass.kind = 'stamp_card'`);
}

/** Keeps how a voucher stands unless something newer is kept, and marks its own pass and its card’s. */
export async function keepVoucher(
  tx: Transaction,
  news: CardNews & {
    readonly voucherId: string;
    readonly rewardTitle: string | null;
    readonly state: 'active' | 'redeemed' | 'voided' | 'expired';
    /** Minting takes stamps off the card’s count, whenever the news of it comes. */
    readonly minted: boolean;
  },
  at: Date,
): Promise<void> {
  const mintedSequence = news.minted ? news.sequence : null;
  await tx.query(sql.prepared('keep-pass-voucher', none)`
    with kept as (
      insert into pass_voucher as v (voucher_id, customer_id, store_id, sequence, minted_sequence, reward_title, state)
      values (${news.voucherId}, ${news.customerId}, ${news.storeId}, ${news.sequence}, ${mintedSequence}, ${news.rewardTitle}, ${news.state})
      on conflict (voucher_id) do update
      set sequence = greatest(v.sequence, excluded.sequence),
          minted_sequence = coalesce(v.minted_sequence, excluded.minted_sequence),
          reward_title = case when excluded.sequence > v.sequence then excluded.reward_title else v.reward_title end,
          state = case when excluded.sequence > v.sequence then excluded.state else v.state end
      where excluded.sequence > v.sequence or (v.minted_sequence is null and excluded.minted_sequence is not null)
      returning voucher_id, customer_id, store_id
    )
    ${markChanged(at)}
    from kept
    where pass.customer_id = kept.customer_id and pass.store_id = kept.store_id
      and (pass.voucher_id is null or pass.voucher_id = kept.voucher_id)`);
}
