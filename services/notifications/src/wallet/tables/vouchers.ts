import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { VoucherState } from '../rules/pass-state.ts';
import { markPassesChanged } from './pass-updates.ts';

/** A voucher's state as of an event in the order of its card. */
export interface Voucher {
  readonly customerId: string;
  readonly storeId: string;
  readonly sequence: number;
  readonly voucherId: string;
  readonly rewardTitle: string | null;
  readonly state: VoucherState;
  /** Whether the event minted the voucher. Minting takes stamps off the card's count, however late the event arrives. */
  readonly minted: boolean;
}

/**
 * Upserts a voucher's state unless the stored one is newer, and marks its own pass and the pass of its card as changed. Returns their
 * number.
 */
export async function upsertVoucher(tx: Transaction, voucher: Voucher): Promise<number> {
  const { voucherId, customerId, storeId, sequence, rewardTitle, state } = voucher;
  const mintedSequence = voucher.minted ? sequence : null;
  const { rowCount } = await tx.query(sql.prepared('upsert-pass-voucher', z.object({}))`
    with upserted as (
      insert into pass_voucher as v (voucher_id, customer_id, store_id, sequence, minted_sequence, reward_title, state)
      values (${voucherId}, ${customerId}, ${storeId}, ${sequence}, ${mintedSequence}, ${rewardTitle}, ${state})
      on conflict (voucher_id) do update
      set sequence = greatest(v.sequence, excluded.sequence),
          minted_sequence = coalesce(v.minted_sequence, excluded.minted_sequence),
          reward_title = case when excluded.sequence > v.sequence then excluded.reward_title else v.reward_title end,
          state = case when excluded.sequence > v.sequence then excluded.state else v.state end
      where excluded.sequence > v.sequence or (v.minted_sequence is null and excluded.minted_sequence is not null)
      returning voucher_id, customer_id, store_id
    )
    ${markPassesChanged(tx.now)}
    from upserted
    where pass.customer_id = ${customerId} and pass.store_id = ${storeId} and (pass.voucher_id is null or pass.voucher_id = upserted.voucher_id)`);
  return rowCount;
}
