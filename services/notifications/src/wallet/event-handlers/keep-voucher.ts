import { type EventHandler, on } from '@corner/chassis';
import { type EventContract, type VoucherData, voucherMinted } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { keepVoucher } from '../tables/cards.ts';

/** A voucher’s pass, and its card’s, show what the newest news makes of the voucher. */
export const keepVoucherWhen = (
  event: EventContract<typeof VoucherData>,
  state: 'active' | 'redeemed' | 'voided' | 'expired',
): EventHandler<Context> =>
  on(event, async ({ data, sequence }, tx, { now }: Context) =>
    keepVoucher(
      tx,
      {
        customerId: data.customer_id,
        storeId: data.store_id,
        sequence,
        voucherId: data.voucher_id,
        rewardTitle: data.reward_title,
        state,
        minted: event.type === voucherMinted.type,
      },
      now(),
    ),
  );
