import type { Queries } from '@corner/chassis';
import { Problem, type RpcOutput, type reserveVoucher as reserveVoucherRpc } from '@corner/contracts';
import { voucherRefusal } from '../rules/vouchers.ts';
import { type Reservation, readVoucherState, reserveActive, type VoucherKey } from '../tables/vouchers.ts';

/**
 * Reserves a voucher for an unpaid order; repeated by the same order it returns the same. One statement decides and writes, so it needs
 * no transaction. Throws the problem that {@link voucherRefusal} names.
 */
export async function reserveVoucher(
  queries: Queries,
  voucher: VoucherKey,
  reservation: Reservation,
): Promise<RpcOutput<typeof reserveVoucherRpc>> {
  const reserved = await reserveActive(queries, voucher, reservation);
  if (!reserved) {
    const { code, message } = voucherRefusal(await readVoucherState(queries, voucher), reservation.now.getTime());
    throw new Problem(code, message === undefined ? {} : { message });
  }
  const { reward, reward_title, voucher_type } = reserved;
  return {
    voucher_id: voucher.voucherId,
    voucher_type,
    value_kind: reward.kind,
    value: reward.value,
    item_id: reward.item_id,
    reward_title,
  };
}
