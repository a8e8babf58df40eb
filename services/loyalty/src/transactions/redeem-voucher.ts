import type { Transaction } from '@corner/chassis';
import { Problem, voucherRedeemed } from '@corner/contracts';
import { voucherRefusal } from '../rules/vouchers.ts';
import { readVoucherState, redeemActive, type Voucher, type VoucherKey } from '../tables/vouchers.ts';
import { changeCard } from './change-card.ts';

/** Redeems a voucher at the counter, once. Throws the problem that {@link voucherRefusal} names. */
export async function redeemVoucher(tx: Transaction, key: VoucherKey): Promise<Voucher> {
  return await changeCard(tx, key, async (card) => {
    const voucher = await redeemActive(tx, key);
    if (!voucher || !card) {
      const { code, message } = voucherRefusal(await readVoucherState(tx, key), tx.now.getTime());
      throw new Problem(code, message === undefined ? {} : { message });
    }
    card.events.addVoucher(voucherRedeemed, voucher, null);
    return voucher;
  });
}
