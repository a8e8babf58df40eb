import { handleRpc, type Operation, on, type Transaction } from '@corner/chassis';
import {
  type EventOf,
  type loyalty,
  orderCancelled,
  orderExpired,
  Problem,
  releaseVoucher,
  reserveVoucher as reserveVoucherRpc,
  voucherDetails,
} from '@corner/contracts';
import { giverOf, otherThan } from '../card/transactions.ts';
import type { Context } from '../context.ts';
import { lapseReservations, readVoucherDetails, releaseReserved, vouchersToAnnounce } from './tables.ts';
import {
  announceExpiry,
  expireVoucher,
  findUsable,
  redeemVoucher as redeem,
  redeemVoucherByCode as redeemByCode,
  reserveVoucher,
} from './transactions.ts';

/** A voucher reserved by an unpaid order, or held by a dispute, is refused. */
export const redeemVoucher: Operation<typeof loyalty.redeemVoucher, Context> = async ({ body, caller }, { database }) => {
  const { store_id: storeId, customer_id: customerId, voucher_id } = body;
  const by = otherThan(customerId, giverOf(caller, storeId));
  const voucher = { storeId, customerId, voucherId: voucher_id };
  const { code, reward_title } = await database.transaction((tx) => redeem(tx, voucher, by));
  return { voucher_id, redemption_code: code, reward_title, by };
};

export const redeemVoucherByCode: Operation<typeof loyalty.redeemVoucherByCode, Context> = async ({ body, caller }, { database }) => {
  const by = giverOf(caller, body.store_id);
  const typed = { storeId: body.store_id, typed: body.code };
  const { id, code, reward_title, customerId } = await database.transaction((tx) => redeemByCode(tx, typed, by));
  return { voucher_id: id, redemption_code: code, reward_title, customer_id: customerId, by: { id: by.id, name: by.name } };
};

export const lookUpVoucher: Operation<typeof loyalty.lookUpVoucher, Context> = async ({ body }, { database, now }) => {
  const { voucherId, reward_title, expires_at } = await findUsable(database, { storeId: body.store_id, typed: body.code }, now());
  return { voucher_id: voucherId, reward_title, expires_at };
};

export const handleReserveVoucher = handleRpc(
  reserveVoucherRpc,
  async ({ order_id, voucher_id, customer_id, store_id, until, asked_at }, { database, now }: Context) => {
    const voucher = { voucherId: voucher_id, storeId: store_id, customerId: customer_id };
    return await reserveVoucher(database, voucher, { orderId: order_id, until, askedAt: asked_at, now: now() });
  },
);

export const handleReleaseVoucher = handleRpc(releaseVoucher, async ({ order_id, voucher_id, asked_at }, { database }: Context) => ({
  released: await releaseReserved(database, {
    voucherId: voucher_id,
    orderId: order_id,
    askedAt: asked_at,
  }),
}));

export const handleVoucherDetails = handleRpc(voucherDetails, async (input, { database }: Context) => {
  const key = { voucherId: input.voucher_id, storeId: input.store_id, customerId: input.customer_id };
  const details = await readVoucherDetails(database, key);
  if (!details) throw new Problem('VOUCHER_NOT_FOUND');
  return details;
});

export const releaseVoucherWhenOrderExpired = on(orderExpired, ({ data, time }, tx) => release(tx, data, time));

export const releaseVoucherWhenOrderCancelled = on(orderCancelled, ({ data, time }, tx) => release(tx, data, time));

/** The voucher of a paid order is redeemed, so only that of an unpaid one is released. */
async function release(tx: Transaction, { order_id: orderId, voucher_id: voucherId, was_paid }: Ended, endedAt: string) {
  if (voucherId && !was_paid) await releaseReserved(tx, { voucherId, orderId, askedAt: endedAt });
}

type Ended = EventOf<typeof orderExpired>['data'];

export async function expireVouchers({ database, now }: Context): Promise<void> {
  for (const voucher of await lapseReservations(database, now())) await database.transaction((tx) => expireVoucher(tx, voucher));
}

export async function announceExpiringVouchers({ database, now }: Context): Promise<void> {
  for (const voucher of await vouchersToAnnounce(database, now())) await database.transaction((tx) => announceExpiry(tx, voucher));
}
