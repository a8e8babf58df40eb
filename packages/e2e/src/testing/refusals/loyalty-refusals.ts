import { randomUUID } from 'node:crypto';
import { stores as demo, people } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { freshTap } from '../loyalty-scenario.ts';
import type { RefusalRun } from './refusal-run.ts';

export async function refuseCodes({ refused, done, tokens, newCustomer, stores, changeRow }: RefusalRun): Promise<void> {
  for (const [code, other] of [
    ['NFC_PROOF_INCOMPLETE', { nfc_cmac: '0000000000000000' }],
    ['NFC_PROOF_INVALID', { ...freshTap(), nfc_cmac: '0000000000000000' }],
    ['NFC_TAG_WRONG_STORE', { ...freshTap(), store_id: demo.cuts.id }],
    ['NFC_PROOF_REQUIRED', { store_id: stores.closed.id }],
  ] as const)
    await refused('generateStampCode', code, { with: other });
  const { full_message: code } = await done('generateStampCode', { with: { ...freshTap() } });
  await refused('redeemStampCode', 'CODE_WRONG_STORE', { token: tokens.ana, with: { code, expected_store_id: demo.cuts.id } });
  const { stamp_id } = await done('redeemStampCode', { token: tokens.ana, with: { code } });
  await refused('redeemStampCode', 'CODE_ALREADY_USED', { token: (await newCustomer()).token, with: { code } });
  await refused('undoStamp', 'STAMP_NOT_UNDOABLE', { with: { stamp_id } });
  await refused('listLoyaltyLog', 'INVALID_CURSOR', { with: { before: '999999999' } });
  await refused('listGuestStamps', 'INVALID_CURSOR', { with: { before: randomUUID() } });
  await refused('readCardHistory', 'INVALID_CURSOR', { with: { before: 'stamp:none' } });

  const { id: store_id } = stores.closed;
  const { id: open } = stores.ceiling;
  const { token } = await newCustomer();
  const { full_message: late } = await done('generateStampCode', { with: { store_id: open } });
  await changeRow(`update loyalty.stamp_code set expires_at = now() - interval '1 second' where store_id = $1 and used_at is null`, open);
  await refused('redeemStampCode', 'CODE_EXPIRED', { token, with: { code: late, expected_store_id: open } });
  await refused('requestMultiStamp', 'PLAN_NOT_ENTITLED', { with: { store_id } });
  await refused('requestMultiStamp', 'STORE_FROZEN', { with: { store_id: stores.dark.id } });
}

export async function refuseMultiStamps(run: RefusalRun): Promise<void> {
  const { refused, done, newCustomer, stores, session, changeRow } = run;
  await refused('confirmMultiStamp', 'NO_PENDING_REQUEST', { with: { ...freshTap() } });
  await done('requestMultiStamp');
  await refused('requestMultiStamp', 'MULTI_STAMP_PENDING');
  const used = { ...freshTap() };
  const { token: other } = await newCustomer();
  await done('requestMultiStamp', { token: other });
  await done('confirmMultiStamp', { token: other, with: used });
  for (const [code, fields] of [
    ['STAFF_CREDENTIAL_REQUIRED', { staff_secret: undefined, ...freshTap() }],
    ['STAFF_CREDENTIAL_INVALID', { staff_secret: 'card_ffffffffffffffffffffffffffffffff', ...freshTap() }],
    ['NFC_PROOF_REQUIRED', {}],
    ['NFC_PROOF_INCOMPLETE', { nfc_cmac: '0000000000000000' }],
    ['NFC_PROOF_INVALID', { ...freshTap(), nfc_cmac: '0000000000000000' }],
    ['NFC_TAG_WRONG_STORE', { ...freshTap(), store_code: stores.ceiling.code, staff_secret: undefined, staff_token: session }],
    ['NFC_TAP_REPLAYED', used],
  ] as const)
    await refused('confirmMultiStamp', code, { with: fields });
  await refused('generateStampCode', 'NFC_TAP_REPLAYED', { with: used });

  const { token } = await newCustomer();
  const { request_id = '' } = await done('requestMultiStamp', { token });
  await changeRow(`update loyalty.multi_stamp_request set expires_at = now() - interval '10 seconds' where id = $1`, request_id);
  await refused('confirmMultiStamp', 'MULTI_STAMP_EXPIRED', { token, with: { ...freshTap() } });
}

export async function refuseReviews({ refused, done, stores }: RefusalRun): Promise<void> {
  for (const [action, opposite, code] of [
    ['reject', 'approve', 'STAMP_ALREADY_REJECTED'],
    ['approve', 'reject', 'STAMP_ALREADY_APPROVED'],
  ] as const) {
    const { results } = await done('syncOfflineStamps', { with: { stamps: [{ receipt_id: randomUUID(), store_code: 'S1' }] } });
    const [{ stamp_id } = { stamp_id: '' }] = results as unknown as { stamp_id: string }[];
    await done('reviewStamp', { with: { stamp_id, action } });
    for (const name of ['reviewStamp', 'resolvePendingStamp']) await refused(name, code, { with: { stamp_id, action: opposite } });
  }
  const { id: store_id } = stores.shop;
  const { stamp_id } = await done('grantStamp', { with: { store_id } });
  await refused('undoStamp', 'STAMP_ALREADY_USED', { with: { store_id, stamp_id, customer_id: people.ana.id } });
}

export async function refuseOwnCards({ refused, done, newCustomer, stores, environment }: RefusalRun): Promise<void> {
  const { id: store_id } = stores.shop;
  const { id: customer_id, token: own } = await newCustomer();
  const token = await environment.system.tokens.token({ typ: 'staff', sub: customer_id, stores: [store_id] });
  const { stamp_id = '' } = await done('redeemStampCode', {
    token: own,
    with: { code: (await done('generateStampCode', { token: own, with: { store_id } })).full_message, expected_store_id: store_id },
  });
  for (const name of ['reviewStamp', 'resolvePendingStamp'])
    await refused(name, 'INSUFFICIENT_ROLE', { token, with: { store_id, stamp_id, action: 'approve' } });
  await done('grantStamp', { with: { store_id, customer_id } });
  const [voucher] = (await done('customerState', { with: { store_id, customer_id } })).active_vouchers as unknown as Vouchers;
  await refused('grantStamp', 'INSUFFICIENT_ROLE', { token, with: { store_id, customer_id } });
  await refused('redeemVoucher', 'INSUFFICIENT_ROLE', { token, with: { store_id, customer_id, voucher_id: voucher?.id } });
  await refused('redeemVoucherByCode', 'INSUFFICIENT_ROLE', { token, with: { store_id, code: voucher?.code } });
}

type Vouchers = readonly { readonly id: string; readonly code: string }[];

export async function refuseVouchers(run: RefusalRun): Promise<void> {
  const { refused, done, newCustomer, paidOrder, stores, changeRow } = run;
  const { id: store_id, code: store_code } = stores.shop;
  const store = { store_id, store_code };
  const vouchersOf = async (customer_id: string) =>
    (await done('customerState', { with: { store_id, customer_id } })).active_vouchers as unknown as Vouchers;
  const voucherOf = async ({ id: customer_id, token }: Customer): Promise<Owned> => {
    const { id: voucher_id, code } = await until(async () => (await vouchersOf(customer_id))[0], { describe: 'a voucher' });
    return { customer_id, token, voucher_id, code };
  };
  const granted = async (): Promise<Owned> => {
    const customer = await newCustomer();
    await done('grantStamp', { with: { store_id, customer_id: customer.id } });
    return await voucherOf(customer);
  };
  const refuseUse = async (problem: Parameters<typeof refused>[1], { customer_id, token, voucher_id, code }: Owned) => {
    await refused('redeemVoucher', problem, { with: { store_id, customer_id, voucher_id } });
    for (const name of ['redeemVoucherByCode', 'lookUpVoucher'] as const) await refused(name, problem, { with: { store_id, code } });
    await refused('sellAtCounter', problem, { with: { store_id, customer: customer_id, voucher_id } });
    await refused('createOrder', problem, { token, with: { ...store, voucher_id } });
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
  const { customer_id, voucher_id } = free;
  await refused('sellAtCounter', 'VOUCHER_NOT_APPLICABLE', {
    with: { store_id, ...nothing, customer: customer_id, voucher_id, tenders: undefined },
  });
  await changeRow(`update loyalty.voucher set expiry_notice_at = now() where id = $1`, free.voucher_id);

  const customer = await newCustomer();
  const { orderId: refundedOrder } = await paidOrder({ token: customer.token, with: store });
  const voided = await voucherOf(customer);
  const refund = (of: string) => done('refundOrder', { with: { store_id, orderId: of, amount_pence: undefined } });
  await refund(refundedOrder);
  await until(async () => (await vouchersOf(customer.id)).length === 0, { describe: 'the voucher to be voided' });
  await refuseUse('VOUCHER_VOIDED', voided);

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
  readonly code: string;
}
