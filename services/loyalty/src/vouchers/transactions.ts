import type { Queries, Transaction } from '@corner/chassis';
import {
  type ChangedBy,
  Problem,
  type RpcOutput,
  type reserveVoucher as reserveVoucherRpc,
  voucherExpired,
  voucherRedeemed,
} from '@corner/contracts';
import type { Voucher } from '../card/tables/vouchers.ts';
import { changeCard, type Giver, otherThan } from '../card/transactions.ts';
import { isUsable, readVoucherCode, type VoucherState, voucherRefusal } from './rules.ts';
import {
  type FoundVoucher,
  findVoucherByCode,
  markAnnounced,
  markExpired,
  type Reservation,
  readVoucherState,
  redeemActive,
  reserveActive,
  type VoucherKey,
} from './tables.ts';

/** Redeems a voucher at the counter, once. Throws the problem that {@link voucherRefusal} names. */
export async function redeemVoucher(tx: Transaction, key: VoucherKey, by: ChangedBy): Promise<Voucher> {
  return await changeCard(tx, { ...key, of: { voucherId: key.voucherId } }, async (card) => {
    const voucher = await redeemActive(tx, key, by);
    if (!voucher || !card) throw refusalOf(await readVoucherState(tx, key, 'counter'), tx.now);
    card.events.addVoucher(voucherRedeemed, voucher, null, { byId: by.id });
    return voucher;
  });
}

/** Redeems the voucher with a typed code, as {@link redeemVoucher} does. Throws VOUCHER_NOT_FOUND when the store has no such voucher. */
export async function redeemVoucherByCode(
  tx: Transaction,
  { storeId, typed }: { readonly storeId: string; readonly typed: string },
  giver: Giver,
): Promise<Voucher & { readonly customerId: string }> {
  const key = await findTyped(tx, storeId, typed);
  return { ...(await redeemVoucher(tx, key, otherThan(key.customerId, giver))), customerId: key.customerId };
}

/** Returns the voucher with a typed code. Throws the problem with which {@link redeemVoucherByCode} would refuse it. */
export async function findUsable(
  queries: Queries,
  { storeId, typed }: { readonly storeId: string; readonly typed: string },
  now: Date,
): Promise<FoundVoucher> {
  const voucher = await findTyped(queries, storeId, typed);
  const state = await readVoucherState(queries, voucher, 'counter');
  if (!isUsable(state, now.getTime())) throw refusalOf(state, now);
  return voucher;
}

async function findTyped(queries: Queries, storeId: string, typed: string): Promise<FoundVoucher> {
  const code = readVoucherCode(typed);
  const voucher = code === null ? null : await findVoucherByCode(queries, storeId, code);
  if (!voucher) throw new Problem('VOUCHER_NOT_FOUND');
  return voucher;
}

function refusalOf(state: VoucherState | null, now: Date): Problem {
  const { code, message } = voucherRefusal(state, now.getTime());
  return new Problem(code, message === undefined ? {} : { message });
}

/**
 * Reserves a voucher for an unpaid order. A repeat by the same order returns the same reward. One statement decides and writes, so it needs
 * no transaction. Throws the problem that {@link voucherRefusal} names.
 */
export async function reserveVoucher(
  queries: Queries,
  voucher: VoucherKey,
  reservation: Reservation,
): Promise<RpcOutput<typeof reserveVoucherRpc>> {
  const reserved = await reserveActive(queries, voucher, reservation);
  if (!reserved) throw refusalOf(await readVoucherState(queries, voucher, 'order'), reservation.now);
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

export async function expireVoucher(tx: Transaction, key: VoucherKey): Promise<void> {
  await changeCard(tx, { ...key, of: { programmeId: key.storeId } }, async (card) => {
    const voucher = await markExpired(tx, key);
    if (voucher) card?.events.addVoucher(voucherExpired, voucher, null);
  });
}

/** Publishes that a voucher expires soon, once. One that is reserved, used or past its last day meanwhile is not announced. */
export async function announceExpiry(tx: Transaction, key: VoucherKey): Promise<void> {
  await changeCard(tx, { ...key, of: { programmeId: key.storeId } }, async (card) => {
    const voucher = await markAnnounced(tx, key);
    if (voucher) card?.events.addVoucherExpiring(voucher);
  });
}
