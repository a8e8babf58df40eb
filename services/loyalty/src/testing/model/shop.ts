import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import { expireMultiStamps, expireVouchers } from '../../jobs.ts';
import { addStaff } from '../multi-stamp.ts';
import type { Running } from '../running.ts';
import { anonymous, customerToken, openShop, type Shop, type TestResponse, withoutProof } from '../shop.ts';
import { fieldsOf, tapOf } from '../tags.ts';
import { orderService } from './order-service.ts';
import type { KnownOrder } from './orders.ts';
import type { Round, Step, StepOf } from './steps.ts';

/** A shop in which steps are taken, and what came of them. */
export interface ModelShop {
  readonly shop: Shop;
  readonly customers: readonly string[];
  readonly orders: readonly KnownOrder[];
  /** How often each voucher was redeemed at the counter, by its id. */
  readonly handedOver: ReadonlyMap<string, number>;
  /** Descriptions of responses that should never occur. */
  readonly wrong: readonly string[];
  /** Takes the steps at the same time and waits until every published event is processed. */
  take(round: Round): Promise<void>;
}

export const goal = 3;
export const monthlyQuota = 12;
export const multiStampCeiling = 8;
const ids = z.object({ id: z.string() });

const confirmRefusals = [
  'NO_PENDING_REQUEST',
  'MULTI_STAMP_EXPIRED',
  'MULTI_STAMP_MONTHLY_CEILING',
  'MONTHLY_LIMIT_REACHED',
  'NFC_TAP_REPLAYED',
];

/** Opens a shop whose goal is three stamps, in the middle of a month. */
export async function openModelShop(running: Running): Promise<ModelShop> {
  running.clock.set('2026-05-12T08:00:00Z');
  const storeId = randomUUID();
  const code = storeId.slice(0, 8);
  const uid = `04${storeId.replaceAll('-', '').slice(0, 12).toUpperCase()}`;
  const multi_stamp = { ...withoutProof.multi_stamp, max_request: 3, monthly_ceiling: multiStampCeiling };
  const programme = {
    ...withoutProof,
    goal,
    multi_stamp,
    daily_stamp_limit: 8,
    monthly_stamp_quota: monthlyQuota,
    voucher_days: 1,
    tags: [{ uid }],
  };
  const shop = await openShop(running, programme, { code }, storeId);
  const { card } = await addStaff(running, shop);
  const { database } = running.service;
  const customers = Array.from({ length: 2 }, () => randomUUID());
  const codes: string[] = [];
  const byGrantKey = new Map<string, string>();
  const requests = new Map<number, string>();
  const handedOver = new Map<string, number>();
  const wrong: string[] = [];
  let taps = 0;

  const customer = (index: number) => customers[index % customers.length] as string;
  const tokenOf = async (index: number) => (index < customers.length ? await customerToken(running, customer(index)) : anonymous);
  const back = <T>(list: readonly T[], index: number): T | undefined => list.at(-1 - (index % Math.max(1, list.length)));
  /** Returns the fields of the tag's newest tap, or of the one `back` taps before. */
  const tapped = (back: number | null) => {
    if (back === null) return {};
    taps += 1;
    return fieldsOf(tapOf(uid, Math.max(0, taps - back)));
  };
  const post = async (
    what: string,
    path: string,
    body: object,
    refusals: readonly string[],
    token?: string,
  ): Promise<TestResponse | null> => {
    const response = await shop.post(path, body, token);
    const outcome = response.status === 200 ? '200' : String(response.body.error?.code);
    if (!['200', ...refusals].includes(outcome)) wrong.push(`${what}: ${response.status} ${outcome}`);
    return response.status === 200 ? response : null;
  };
  const stampsOf = (customerId: string | null) =>
    database.anyFirst(sql.type(ids)`
      select id from stamp where store_id = ${storeId} and (${customerId}::uuid is null or customer_id = ${customerId}) order by id`);
  const vouchersOf = (customerId: string) =>
    database.anyFirst(sql.type(ids)`select id from voucher where store_id = ${storeId} and customer_id = ${customerId} order by id`);

  const { orders, steps: orderSteps, processed } = orderService({ running, storeId, customer, back, vouchersOf, wrong });
  const actions: { readonly [K in Step['do']]: (step: StepOf<K>) => Promise<unknown> } = {
    async grant({ who, key }) {
      const idempotency_key = key === null ? null : `${storeId} ${who} ${key}`;
      const body = { store_id: storeId, customer_id: customer(who), idempotency_key };
      const response = await post('grant', 'stamps', body, ['DAILY_LIMIT_REACHED', 'MONTHLY_LIMIT_REACHED']);
      if (!response || idempotency_key === null) return;
      const first = byGrantKey.get(idempotency_key) ?? response.body.stamp_id;
      byGrantKey.set(idempotency_key, first);
      if (first !== response.body.stamp_id) wrong.push('one grant key made two stamps');
    },
    async undo({ who, stamp }) {
      const stamp_id = back(await stampsOf(customer(who)), stamp);
      if (!stamp_id) return;
      await post('undo', 'stamps/undo', { store_id: storeId, customer_id: customer(who), stamp_id }, [
        'STAMP_NOT_UNDOABLE',
        'STAMP_ALREADY_USED',
      ]);
    },
    async review({ stamp, action, operation }) {
      const stamp_id = back(await stampsOf(null), stamp);
      if (!stamp_id) return;
      const path = operation === 'resolve' ? 'pending-stamps/resolve' : 'stamps/review';
      const refusals = ['STAMP_ALREADY_REJECTED', 'STAMP_ALREADY_APPROVED', ...(operation === 'review' ? ['MONTHLY_LIMIT_REACHED'] : [])];
      await post(operation, path, { store_id: storeId, stamp_id, action }, refusals);
    },
    async redeem({ who, voucher }) {
      const voucher_id = back(await vouchersOf(customer(who)), voucher);
      if (!voucher_id) return;
      const refusals = ['VOUCHER_ALREADY_REDEEMED', 'VOUCHER_EXPIRED', 'VOUCHER_RESERVED', 'VOUCHER_VOIDED'];
      const response = await post('redeem', 'redemptions', { store_id: storeId, customer_id: customer(who), voucher_id }, refusals);
      if (response) handedOver.set(voucher_id, (handedOver.get(voucher_id) ?? 0) + 1);
    },
    ...orderSteps,
    async code({ who, tap }) {
      const response = await post(
        'code',
        'stamp-codes',
        { store_id: storeId, ttl_seconds: 300, ...tapped(tap) },
        ['NFC_TAP_REPLAYED'],
        await tokenOf(who),
      );
      if (response && !codes.includes(response.body.code)) codes.push(response.body.code);
    },
    async redeemCode({ who, code: index }) {
      const typed = back(codes, index);
      if (!typed) return;
      const refusals = ['CODE_EXPIRED', 'CODE_ALREADY_USED', 'DAILY_LIMIT_REACHED', 'MONTHLY_LIMIT_REACHED'];
      await post('redeem code', 'stamp-codes/redeem', { code: typed, expected_store_id: storeId }, refusals, await tokenOf(who));
    },
    async sync({ who, receipts }) {
      const stamps = receipts.map(({ id, tap, hoursAgo }) => ({
        receipt_id: `receipt ${id}`,
        store_code: code,
        tap_timestamp: new Date(running.clock.now().getTime() - hoursAgo * 3_600_000).toISOString(),
        // Some receipts carry a wrong proof, some carry none.
        ...(tap > 7 ? {} : { ...fieldsOf(tapOf(uid, 1_000 + tap)), ...(tap === 7 ? { nfc_cmac: '0000000000000000' } : {}) }),
      }));
      const response = await post('sync', 'stamps/sync-offline', { stamps }, [], await tokenOf(who));
      const results = (response?.body.results ?? []) as { receipt_id: string; success: boolean; error?: string }[];
      if (response && results.map((result) => result.receipt_id).join() !== stamps.map((sent) => sent.receipt_id).join())
        wrong.push('the results of receipts are out of order');
      for (const { success, error } of results)
        if (!success && !['daily_limit', 'monthly_limit'].includes(String(error))) wrong.push(`a receipt failed: ${error}`);
    },
    async request({ who, stamps }) {
      const response = await post(
        'request',
        'multi-stamp/request',
        { store_id: storeId, requested_stamps: stamps },
        ['MULTI_STAMP_PENDING', 'MULTI_STAMP_MONTHLY_CEILING', 'MONTHLY_LIMIT_REACHED'],
        await tokenOf(who),
      );
      if (response) requests.set(who, response.body.request_id);
    },
    async confirm({ who, named, tap }) {
      const request_id = named ? requests.get(who) : undefined;
      const body = { store_code: code, staff_secret: card, ...(request_id ? { request_id } : {}), ...tapped(tap) };
      await post('confirm', 'multi-stamp/confirm', body, confirmRefusals, await tokenOf(who));
    },
    async cancel({ who }) {
      const request_id = requests.get(who);
      if (request_id) await post('cancel', 'multi-stamp/cancel', { request_id }, [], await tokenOf(who));
    },
    async sweep() {
      await Promise.all([expireVouchers(running.service.context), expireMultiStamps(running.service.context)]);
    },
  };
  return {
    shop,
    customers,
    orders,
    handedOver,
    wrong,
    async take({ steps, minutes }) {
      await Promise.all(
        steps.flatMap((step) =>
          Array.from({ length: 'callers' in step ? step.callers : 1 }, () => (actions[step.do] as (step: Step) => Promise<unknown>)(step)),
        ),
      );
      await processed();
      running.clock.advance({ minutes });
    },
  };
}
