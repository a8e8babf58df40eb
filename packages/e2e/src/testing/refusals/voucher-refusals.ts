import { until } from '@corner/testkit';
import type { RefusalRun } from './refusal-run.ts';

type Vouchers = readonly { readonly id: string }[];

/** A voucher that cannot be used: reserved, redeemed, expired, voided, or worth nothing for the basket. Its history also publishes events. */
export async function refuseVouchers(run: RefusalRun): Promise<void> {
  const { refused, done, newCustomer, paidOrder, stores, changeRow } = run;
  const { id: store_id, code: store_code } = stores.shop;
  const store = { store_id, store_code };
  const vouchersOf = async (customer_id: string) =>
    (await done('customerState', { with: { store_id, customer_id } })).active_vouchers as unknown as Vouchers;
  const voucherOf = async ({ id: customer_id, token }: Customer): Promise<Owned> => {
    const { id: voucher_id } = await until(async () => (await vouchersOf(customer_id))[0], { describe: 'a voucher' });
    return { customer_id, token, voucher_id };
  };
  /** A new customer's voucher, earned by one stamp. */
  const granted = async (): Promise<Owned> => {
    const customer = await newCustomer();
    await done('grantStamp', { with: { store_id, customer_id: customer.id } });
    return await voucherOf(customer);
  };
  const refuseUse = async (code: Parameters<typeof refused>[1], { customer_id, token, voucher_id }: Owned) => {
    await refused('redeemVoucher', code, { with: { store_id, customer_id, voucher_id } });
    await refused('createOrder', code, { token, with: { ...store, voucher_id } });
  };

  const redeemed = await granted();
  await done('redeemVoucher', { with: { store_id, customer_id: redeemed.customer_id, voucher_id: redeemed.voucher_id } });
  await refuseUse('VOUCHER_ALREADY_REDEEMED', redeemed);

  const reserved = await granted();
  const { order_id: orderId } = await done('createOrder', { token: reserved.token, with: { ...store, voucher_id: reserved.voucher_id } });
  await refuseUse('VOUCHER_RESERVED', reserved);
  await done('setBusinessStatus', { with: { store_id, orderId, status: 'cancelled' } });

  const expired = await granted();
  await changeRow(`update loyalty.voucher set expires_at = now() - interval '1 second' where id = $1`, expired.voucher_id);
  await refuseUse('VOUCHER_EXPIRED', expired);

  const free = await granted();
  const nothing = { items: [{ menu_item_id: 'tap-water', quantity: 1 }] };
  await refused('createOrder', 'VOUCHER_NOT_APPLICABLE', {
    token: free.token,
    with: { ...store, ...nothing, voucher_id: free.voucher_id },
  });
  await changeRow(`update loyalty.voucher set expiry_notice_at = now() where id = $1`, free.voucher_id);

  // The refund of an order takes back its stamps, so the voucher that they earned is void.
  const customer = await newCustomer();
  const { orderId: refundedOrder } = await paidOrder({ token: customer.token, with: store });
  const voided = await voucherOf(customer);
  const refund = (of: string) => done('refundOrder', { with: { store_id, orderId: of, amount_pence: undefined } });
  await refund(refundedOrder);
  await until(async () => (await vouchersOf(customer.id)).length === 0, { describe: 'the voucher to be voided' });
  await refuseUse('VOUCHER_VOIDED', voided);

  // The refund of an order that a voucher had paid a part of gives the voucher back.
  const used = await granted();
  await refund((await paidOrder({ token: used.token, with: { ...store, voucher_id: used.voucher_id } })).orderId);
}

interface Customer {
  readonly id: string;
  readonly token: string;
}
interface Owned {
  readonly customer_id: string;
  readonly token: string;
  readonly voucher_id: string;
}
