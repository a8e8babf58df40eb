import type { Transaction } from '@corner/chassis';
import { Problem, stampPending } from '@corner/contracts';
import { exceededLimit } from '../../card/rules.ts';
import { findEarlierStamp, insertStamps, lockQuota, type NewStamp, readCardBalance, readStampUsage } from '../../card/tables/stamps.ts';
import { changeCard, countStamps, type LockedCard, type MintedVoucher, type StampsUsed } from '../../card/transactions.ts';
import { approvalOfCode, decideRedemption, deviceUseSince } from '../rules.ts';
import { findCode, insertGuestStamp, recordDeviceUse, type StoreCode, useCode } from '../tables.ts';

/**
 * Redeems a code for the signed-in customer, else for the customer it was minted for, else for a guest. A repeat by the same customer
 * returns the first stamp. Throws CODE_NOT_FOUND, CODE_WRONG_STORE, CODE_EXPIRED, CODE_ALREADY_USED, LOYALTY_DISABLED,
 * DAILY_LIMIT_REACHED, MONTHLY_LIMIT_REACHED, and RATE_LIMITED for a guest where too many wait; the code stays unused then.
 */
export async function redeemStampCode(tx: Transaction, request: RedemptionRequest): Promise<RedeemedCode> {
  const found = request.codeHash && (await findCode(tx, request.codeHash));
  const decision = decideRedemption(found, { expectedStoreId: request.expectedStoreId, nowMs: tx.now.getTime() });
  if (decision.step === 'refuse') throw new Problem(decision.problem);
  const { code } = decision;
  const redeemer = request.customerId ?? code.customer_id;
  return decision.step === 'replay' ? await replay(tx, code, redeemer) : await redeem(tx, code, redeemer, request.device);
}

async function redeem(tx: Transaction, code: StoreCode, redeemer: string | null, device: Buffer | null): Promise<RedeemedCode> {
  if (redeemer === null) return await redeemAsGuest(tx, code);
  const card = { storeId: code.store_id, customerId: redeemer };
  return await changeCard(tx, card, (locked) => redeemOnCard(tx, locked, code, { redeemer, device }), { quota: true });
}

/**
 * The most guests' stamps that wait at a store, so that strangers cannot fill its list, and the seconds after which a refused guest may
 * retry.
 */
const mostGuestStamps = 200;
const guestRetrySeconds = 900;

async function redeemAsGuest(tx: Transaction, code: StoreCode): Promise<RedeemedCode> {
  await lockQuota(tx, code.store_id);
  const used = await useCode(tx, code);
  if (!used) return await replay(tx, code, null);
  if (!code.enabled) throw new Problem('LOYALTY_DISABLED');
  const stampId = tx.newId();
  const { goal } = code;
  const stamp = { id: stampId, source: used.source, collectedAt: tx.now, codeId: code.id, reason: 'guest' };
  if (!(await insertGuestStamp(tx, code.store_id, stamp, mostGuestStamps)))
    throw new Problem('RATE_LIMITED', {
      message: 'Too many stamps of guests wait for this store’s approval: sign in, or redeem the code later.',
      retryAfterSeconds: guestRetrySeconds,
    });
  return { code, stampId, approved: false, reason: 'guest', stampCount: 0, goal, voucher: null, replayed: false };
}

/** Redeems a code for the customer of a locked card. Quota and card are locked before the code, as when a tap is recorded on a code. */
async function redeemOnCard(
  tx: Transaction,
  card: LockedCard | null,
  code: StoreCode,
  { redeemer, device }: { readonly redeemer: string; readonly device: Buffer | null },
): Promise<RedeemedCode> {
  const used = await useCode(tx, code);
  if (!used) return await replay(tx, code, redeemer);
  if (!card?.enabled) throw new Problem('LOYALTY_DISABLED');
  const { approved, reason } = approvalOfCode({
    presenceVerified: used.presence_verified,
    withoutProof: card.settings.codes_without_proof,
    mintedFor: code.customer_id,
    redeemer,
    customersOfDevice: await countCustomersOfDevices(tx, card, [device, used.device === null ? null : Buffer.from(used.device, 'hex')]),
  });
  const exceeded = exceededLimit(card, await readStampUsage(tx, card, { collectedAt: tx.now, now: tx.now }), { approved });
  if (exceeded) throw new Problem(exceeded);
  const id = tx.newId();
  const stamp = { id, source: used.source, collectedAt: tx.now, codeId: code.id, approved, reason };
  const { stampCount, minted } = await collectStamp(tx, card, stamp);
  if (approved && used.tapped_at !== null) card.events.addTap(id, used.tapped_at);
  return { code, stampId: id, approved, reason, stampCount, goal: card.goal, voucher: minted[0] ?? null, replayed: false };
}

export async function collectStamp(tx: Transaction, card: LockedCard, stamp: NewStamp): Promise<StampsUsed> {
  const { id, source, reason } = stamp;
  const balance = await insertStamps(tx, card, [stamp], 'customer');
  if (stamp.approved) return await countStamps(tx, card, { ids: [id], source, reason }, balance);
  card.events.addStamp(stampPending, { stampId: id, source, stampCount: balance.stampCount, goal: card.goal });
  return { minted: [], stampCount: balance.stampCount };
}

async function countCustomersOfDevices(
  tx: Transaction,
  { storeId, customerId }: LockedCard,
  named: readonly (Buffer | null)[],
): Promise<number> {
  const devices = named.filter((device) => device !== null);
  if (devices.length === 0) return 1;
  return await recordDeviceUse(tx, { storeId, customerId, devices }, deviceUseSince(tx.now));
}

async function replay(tx: Transaction, code: StoreCode, redeemer: string | null): Promise<RedeemedCode> {
  const stamp = await findEarlierStamp(tx, { codeId: code.id });
  if (!stamp || stamp.customer_id !== redeemer) throw new Problem('CODE_ALREADY_USED');
  const { voucher_id, voucher_code } = stamp;
  return {
    code,
    stampId: stamp.id,
    approved: stamp.status === 'approved',
    reason: stamp.approval_reason,
    stampCount: redeemer === null ? 0 : (await readCardBalance(tx, { programmeId: stamp.programmeId, customerId: redeemer })).stampCount,
    goal: code.goal,
    voucher: voucher_id !== null && voucher_code !== null ? { id: voucher_id, code: voucher_code } : null,
    replayed: true,
  };
}

/**
 * `codeHash` is null when the typed text is not a code, `customerId` when the caller is not signed in. `device`: a keyed hash of the
 * description of the sending device; null without one.
 */
interface RedemptionRequest {
  readonly codeHash: Buffer | null;
  readonly expectedStoreId: string | null | undefined;
  readonly customerId: string | null;
  readonly device: Buffer | null;
}

export interface RedeemedCode {
  readonly code: StoreCode;
  readonly stampId: string;
  readonly approved: boolean;
  readonly reason: string | null;
  readonly stampCount: number;
  readonly goal: number;
  readonly voucher: MintedVoucher | null;
  readonly replayed: boolean;
}
