import type { Operation } from '@corner/chassis';
import type { loyalty, ReplyOf } from '@corner/contracts';
import type { Context } from '../context.ts';
import { stampCodeHash } from '../crypto/hashes.ts';
import { readStampCode } from '../rules/codes.ts';
import { type RedeemedCode, redeemStampCode as redeem } from '../transactions/redeem-stamp-code.ts';

/** Redeems a code, once. A caller who is not signed in learns that a voucher was earned, but not its code. */
export const redeemStampCode: Operation<typeof loyalty.redeemStampCode, Context> = async ({ body, caller }, { database, codeSecret }) => {
  const typed = readStampCode(body.code);
  const customerId = caller.type === 'customer' ? caller.id : null;
  const request = {
    codeHash: typed === null ? null : stampCodeHash(codeSecret, typed),
    expectedStoreId: body.expected_store_id,
    customerId,
  };
  const redeemed = await database.transaction((tx) => redeem(tx, request));
  return responseOf(redeemed, { showVoucher: customerId !== null });
};

function responseOf(redeemed: RedeemedCode, { showVoucher }: { readonly showVoucher: boolean }): ReplyOf<typeof loyalty.redeemStampCode> {
  const { code, stampId, approved, reason, stampCount, goal, voucher, replayed } = redeemed;
  return {
    stamp_id: stampId,
    store_id: code.store_id,
    store_code: code.store_code,
    store_name: code.store_name,
    approval_reason: reason,
    stamp_status: approved ? 'approved' : 'pending',
    counts_now: approved,
    current_stamps: stampCount,
    goal,
    voucher_earned: voucher !== null,
    voucher_id: showVoucher ? (voucher?.id ?? null) : null,
    voucher_code: showVoucher ? (voucher?.code ?? null) : null,
    already_redeemed: replayed,
    message: messageOf(redeemed),
  };
}

function messageOf({ approved, voucher, replayed }: RedeemedCode): string {
  if (replayed) return 'This code has already been redeemed.';
  if (!approved) return 'The store will review your stamp before it counts.';
  return voucher ? 'Your stamp counts, and your reward is ready.' : 'Your stamp counts.';
}
