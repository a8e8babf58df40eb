import type { Operation, Transaction } from '@corner/chassis';
import { type loyalty, Problem, type ReplyOf } from '@corner/contracts';
import type { Context } from '../context.ts';
import { judgeCode, readStampCode } from '../rules/stamp-code.ts';
import { lockCard, standingOf } from '../tables/cards.ts';
import { collectForGuest, collectStamp } from '../tables/collect-stamp.ts';
import { lockQuota, quotaSpent, stampsAround } from '../tables/limits.ts';
import { hashOfCode } from '../tables/mint-code.ts';
import { type Code, findCode, useCode } from '../tables/redeem-code.ts';
import { stampBefore } from '../tables/stamp-before.ts';

type Reply = ReplyOf<typeof loyalty.redeemStampCode>;

/**
 * Redeems a code: for whoever is signed in, else for whom it was minted, else for a guest. Once, however many try; the same
 * person again is answered the first stamp. Somebody not signed in is told of a voucher, never its code.
 */
export const redeemStampCode: Operation<typeof loyalty.redeemStampCode, Context> = async ({ body, caller }, context) =>
  await context.database.transaction(async (tx) => {
    const at = context.now();
    const typed = readStampCode(body.code);
    const code = typed && (await findCode(tx, hashOfCode(context.codeSecret, typed), at));
    if (!code) throw new Problem('CODE_NOT_FOUND');
    if (body.expected_store_id && body.expected_store_id !== code.store_id) throw new Problem('CODE_WRONG_STORE');
    const signedIn = caller.type === 'customer';
    const redeemer = signedIn ? caller.id : code.customer_id;
    const reply = await (code.used ? repeated(tx, code, redeemer) : redeemed(tx, code, redeemer, at, context));
    return signedIn ? reply : { ...reply, voucher_id: null, voucher_code: null };
  });

async function redeemed(tx: Transaction, code: Code, redeemer: string | null, at: Date, { newId }: Context): Promise<Reply> {
  if (code.expired) throw new Problem('CODE_EXPIRED');
  if (!(await lockQuota(tx, code.store_id))) throw new Problem('STORE_NOT_FOUND');
  // The code is this transaction's from here on: what is refused below leaves it unused.
  const using = await useCode(tx, code.id, at);
  if (!using) return await repeated(tx, code, redeemer);
  if (!code.enabled) throw new Problem('LOYALTY_DISABLED');
  const fresh = { id: newId(), source: using.source, collectedAt: at, codeId: code.id };
  if (redeemer === null) {
    await collectForGuest(tx, code.store_id, { ...fresh, status: 'pending', reason: 'guest' });
    return { ...replyOf(code), stamp_id: fresh.id, approval_reason: 'guest', message: messages.pending };
  }
  const card = await lockCard(tx, code.store_id, redeemer, at);
  if (!card?.enabled) throw new Problem('LOYALTY_DISABLED');
  const { approved, reason } = judgeCode({
    proved: using.proved,
    approvalMode: card.settings.approval_mode,
    boundTo: code.customer_id,
    redeemer,
  });
  const { day, month } = await stampsAround(tx, card, at, at);
  if (day >= card.daily_stamp_limit) throw new Problem('DAILY_LIMIT_REACHED');
  if (approved && quotaSpent(card, month)) throw new Problem('MONTHLY_LIMIT_REACHED');
  const status = approved ? 'approved' : 'pending';
  const { stampCount, minted } = await collectStamp(tx, card, { ...fresh, status, reason }, at, newId);
  return {
    ...replyOf(code),
    stamp_id: fresh.id,
    approval_reason: reason,
    stamp_status: status,
    counts_now: approved,
    current_stamps: stampCount,
    goal: card.goal,
    voucher_earned: minted.length > 0,
    voucher_id: minted[0]?.id ?? null,
    voucher_code: minted[0]?.code ?? null,
    message: minted.length > 0 ? messages.voucher : messages[status],
  };
}

/** Answers the first stamp to who collected it, and to a guest what a guest collected; to anybody else the code is used. */
async function repeated(tx: Transaction, code: Code, redeemer: string | null): Promise<Reply> {
  const stamp = await stampBefore(tx, { codeId: code.id });
  if (!stamp || stamp.customer_id !== redeemer) throw new Problem('CODE_ALREADY_USED');
  const counts = stamp.status === 'approved';
  return {
    ...replyOf(code),
    stamp_id: stamp.id,
    approval_reason: stamp.approval_reason,
    stamp_status: counts ? 'approved' : 'pending',
    counts_now: counts,
    current_stamps: redeemer ? (await standingOf(tx, { storeId: code.store_id, customerId: redeemer })).stampCount : 0,
    voucher_earned: stamp.voucher_id !== null,
    voucher_id: stamp.voucher_id,
    voucher_code: stamp.voucher_code,
    already_redeemed: true,
    message: messages.repeated,
  };
}

const messages = {
  approved: 'Your stamp counts.',
  pending: 'The store will look at your stamp before it counts.',
  voucher: 'Your stamp counts, and your reward is ready.',
  repeated: 'This code has given its stamp already.',
} as const;

/** What every answer says of a code, before anything is known of a card. */
const replyOf = ({ store_id, store_code, store_name, goal }: Code): Reply => ({
  stamp_id: null,
  store_id,
  store_code,
  store_name,
  approval_reason: null,
  stamp_status: 'pending',
  counts_now: false,
  current_stamps: 0,
  goal,
  voucher_earned: false,
  voucher_id: null,
  voucher_code: null,
  already_redeemed: false,
  message: messages.pending,
});
