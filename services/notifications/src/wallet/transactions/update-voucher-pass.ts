import type { Signal, Transaction } from '@corner/chassis';
import { type DataOf, type EventOf, voucherMinted } from '@corner/contracts';
import type { VoucherState } from '../rules/pass-state.ts';
import { upsertVoucher } from '../tables/vouchers.ts';
import { raiseForChanges } from './raise-for-changes.ts';

/** Applies a voucher's state to its own pass and to the pass of its card. The event with the highest sequence wins. */
export async function updateVoucherPass(
  tx: Transaction,
  { type, data, sequence }: Pick<EventOf<typeof voucherMinted>, 'type' | 'sequence'> & { readonly data: DataOf<typeof voucherMinted> },
  state: VoucherState,
  signal: Signal,
): Promise<void> {
  const changed = await upsertVoucher(tx, {
    customerId: data.customer_id,
    storeId: data.store_id,
    sequence,
    voucherId: data.voucher_id,
    rewardTitle: data.reward_title,
    state,
    minted: type === voucherMinted.type,
  });
  raiseForChanges(tx, changed, signal);
}
