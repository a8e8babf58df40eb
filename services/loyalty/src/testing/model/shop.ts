import { randomUUID } from 'node:crypto';
import { importStamps } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { expireMultiStamps } from '../../multi-stamp/entry-points.ts';
import { expireVouchers } from '../../vouchers/entry-points.ts';
import { customerOf } from '../events.ts';
import { addStaff } from '../multi-stamp.ts';
import type { Running } from '../running.ts';
import { anonymous, customerToken, openShop, type Shop, type TestResponse, withoutProof } from '../shop.ts';
import { fieldsOf, tapOf } from '../tags.ts';
import { erasureOf } from './erasure.ts';
import { orderService } from './order-service.ts';
import type { KnownOrder } from './orders.ts';
import { type KnownVisit, queueService } from './queue-service.ts';
import type { Round, Step, StepOf } from './steps.ts';

/**
 * A shop in which steps are taken, and their results. `shop` is the home of the programme, `shops` are all its stores. `handedOver`: how
 * many times each voucher was redeemed at the counter, by its id. `wrong`: responses that should never occur.
 */
export interface ModelShop {
  readonly shop: Shop;
  readonly shops: readonly Shop[];
  readonly customers: readonly string[];
  readonly driver: 'orders' | 'visits';
  readonly orders: readonly KnownOrder[];
  readonly visits: readonly KnownVisit[];
  readonly handedOver: ReadonlyMap<string, number>;
  readonly wrong: readonly string[];
  /** Takes the steps at the same time and waits until every published event is processed. */
  take(round: Round): Promise<void>;
}

export const goal = 3;

export const monthlyQuota = 12;

export const multiStampCeiling = 8;

const ids = z.object({ id: z.string() });
const voucherCodes = z.object({ code: z.string() });

const confirmRefusals = [
  'NO_PENDING_REQUEST',
  'MULTI_STAMP_EXPIRED',
  'MULTI_STAMP_MONTHLY_CEILING',
  'MONTHLY_LIMIT_REACHED',
  'NFC_TAP_REPLAYED',
];

export async function openModelShop(running: Running, driver: ModelShop['driver'], stores: number): Promise<ModelShop> {
  running.clock.set('2026-05-12T08:00:00Z');
  const shops = await openStores(running, driver, stores);
  const shop = shops[0] as Shop;
  const { storeId } = shop;
  const shopAt = (at: number) => shops[at % shops.length] as Shop;
  const storeAt = (at: number) => shopAt(at).storeId;
  const cards = new Map<string, string>();
  for (const one of shops) cards.set(one.storeId, (await addStaff(running, one)).card);
  const { database } = running.service;
  const customers = Array.from({ length: 2 }, () => randomUUID());
  await running.consume(...customers.map((id) => customerOf(id)));
  const codes: { readonly code: string; readonly at: number }[] = [];
  const byGrantKey = new Map<string, string>();
  const requests = new Map<string, string>();
  const handedOver = new Map<string, number>();
  const wrong: string[] = [];
  const taps = new Map<string, number>();

  const customer = (index: number) => customers[index % customers.length] as string;
  const tokenOf = async (index: number) => (index < customers.length ? await customerToken(running, customer(index)) : anonymous);
  const back = <T>(list: readonly T[], index: number): T | undefined => list.at(-1 - (index % Math.max(1, list.length)));
  /** Returns the proof of the newest tap of the store's tag, or of the one `back` taps before. */
  const tapped = (at: number, back: number | null) => {
    if (back === null) return {};
    const newest = (taps.get(storeAt(at)) ?? 0) + 1;
    taps.set(storeAt(at), newest);
    return fieldsOf(tapOf(tagOf(storeAt(at)), Math.max(0, newest - back)));
  };
  const post = async (
    what: string,
    path: string,
    { at, ...body }: { readonly at: number; readonly [field: string]: unknown },
    refusals: readonly string[],
    token?: string,
  ): Promise<TestResponse | null> => {
    const response = await shopAt(at).post(path, body, token);
    const outcome = response.status === 200 ? '200' : String(response.body.error?.code);
    if (!['200', ...refusals, ...erasure.refusals].includes(outcome)) wrong.push(`${what}: ${response.status} ${outcome}`);
    return response.status === 200 ? response : null;
  };
  const stampsOf = (at: number, customerId: string | null) =>
    database.anyFirst(sql.type(ids)`
      select id from stamp where coalesce(at_store_id, store_id) = ${storeAt(at)} and (${customerId}::uuid is null or customer_id = ${customerId}) order by id`);
  const vouchersOf = (customerId: string) =>
    database.anyFirst(sql.type(ids)`select id from voucher where store_id = ${storeId} and customer_id = ${customerId} order by id`);

  const { orders, steps: orderSteps, publish, processed } = orderService({ running, storeAt, customer, back, vouchersOf, wrong });
  const erasure = erasureOf(running, customer(1));
  const { visits, steps: visitSteps } = queueService({ storeAt, customer, back, publish });
  const actions: { readonly [K in Step['do']]: (step: StepOf<K>) => Promise<unknown> } = {
    async grant({ who, key, at }) {
      const idempotency_key = key === null ? null : `${who} ${key}`;
      const body = { at, store_id: storeAt(at), customer_id: customer(who), idempotency_key };
      const response = await post('grant', 'stamps', body, ['DAILY_LIMIT_REACHED', 'MONTHLY_LIMIT_REACHED']);
      if (!response || idempotency_key === null) return;
      const atStore = `${storeAt(at)} ${idempotency_key}`;
      const first = byGrantKey.get(atStore) ?? response.body.stamp_id;
      byGrantKey.set(atStore, first);
      if (first !== response.body.stamp_id) wrong.push('one grant key made two stamps');
    },
    async bring({ who, id, stamps, vouchers, at }) {
      const line = { line: 1, store: storeAt(at), customer: customer(who), id: `${who} ${id}`, stamps, vouchers };
      const { output } = await running.call(importStamps, { by: 'tester', lines: [line] });
      const isErased = who === 1 && erasure.refusals.length > 0;
      if (output?.faults.length !== 0 && !isErased) wrong.push(`a line was not imported: ${JSON.stringify(output?.faults)}`);
    },
    async undo({ who, stamp, at }) {
      const stamp_id = back(await stampsOf(at, customer(who)), stamp);
      if (!stamp_id) return;
      await post('undo', 'stamps/undo', { at, store_id: storeAt(at), customer_id: customer(who), stamp_id }, [
        'STAMP_NOT_UNDOABLE',
        'STAMP_ALREADY_USED',
      ]);
    },
    async review({ stamp, action, operation, at }) {
      const stamp_id = back(await stampsOf(at, null), stamp);
      if (!stamp_id) return;
      const path = operation === 'resolve' ? 'pending-stamps/resolve' : 'stamps/review';
      const refusals = ['STAMP_ALREADY_REJECTED', 'STAMP_ALREADY_APPROVED', ...(operation === 'review' ? ['MONTHLY_LIMIT_REACHED'] : [])];
      await post(operation, path, { at, store_id: storeAt(at), stamp_id, action }, refusals);
    },
    async redeem({ who, voucher, byCode, at }) {
      const voucher_id = back(await vouchersOf(customer(who)), voucher);
      if (!voucher_id) return;
      const code = await database.oneFirst(sql.type(voucherCodes)`select code from voucher where id = ${voucher_id}`);
      const refusals = ['VOUCHER_ALREADY_REDEEMED', 'VOUCHER_EXPIRED', 'VOUCHER_RESERVED', 'VOUCHER_VOIDED'];
      const response = byCode
        ? await post('redeem by code', 'redemptions/by-code', { at, store_id: storeAt(at), code }, refusals)
        : await post('redeem', 'redemptions', { at, store_id: storeAt(at), customer_id: customer(who), voucher_id }, refusals);
      if (response) handedOver.set(voucher_id, (handedOver.get(voucher_id) ?? 0) + 1);
    },
    ...orderSteps,
    ...visitSteps,
    ...erasure.steps,
    async code({ who, device, tap, at }) {
      const response = await post(
        'code',
        'stamp-codes',
        { at, store_id: storeAt(at), ttl_seconds: 300, device_info: device, ...tapped(at, tap) },
        ['NFC_TAP_REPLAYED'],
        await tokenOf(who),
      );
      if (response && !codes.some(({ code }) => code === response.body.code)) codes.push({ code: response.body.code, at });
    },
    async redeemCode({ who, device, code: index }) {
      const typed = back(codes, index);
      if (!typed) return;
      const refusals = ['CODE_EXPIRED', 'CODE_ALREADY_USED', 'DAILY_LIMIT_REACHED', 'MONTHLY_LIMIT_REACHED'];
      await post(
        'redeem code',
        'stamp-codes/redeem',
        { at: typed.at, code: typed.code, expected_store_id: storeAt(typed.at), device_info: device },
        refusals,
        await tokenOf(who),
      );
    },
    async sync({ who, receipts, at }) {
      const stamps = receipts.map(({ id, tap, hoursAgo }) => ({
        receipt_id: `receipt ${id}`,
        store_code: storeAt(at),
        tap_timestamp: new Date(running.clock.now().getTime() - hoursAgo * 3_600_000).toISOString(),
        // Some receipts carry a wrong proof, some carry none.
        ...(tap > 7 ? {} : { ...fieldsOf(tapOf(tagOf(storeAt(at)), 1_000 + tap)), ...(tap === 7 ? { nfc_cmac: '0000000000000000' } : {}) }),
      }));
      const response = await post('sync', 'stamps/sync-offline', { at, stamps }, [], await tokenOf(who));
      const results = (response?.body.results ?? []) as { receipt_id: string; success: boolean; error?: string }[];
      if (response && results.map((result) => result.receipt_id).join() !== stamps.map((sent) => sent.receipt_id).join())
        wrong.push('the results of receipts are out of order');
      for (const { success, error } of results)
        if (!success && !['daily_limit', 'monthly_limit'].includes(String(error))) wrong.push(`a receipt failed: ${error}`);
    },
    async request({ who, stamps, at }) {
      const response = await post(
        'request',
        'multi-stamp/request',
        { at, store_id: storeAt(at), requested_stamps: stamps },
        ['MULTI_STAMP_PENDING', 'MULTI_STAMP_MONTHLY_CEILING', 'MONTHLY_LIMIT_REACHED'],
        await tokenOf(who),
      );
      if (response) requests.set(`${storeAt(at)} ${who}`, response.body.request_id);
    },
    async confirm({ who, named, tap, at }) {
      const request_id = named ? requests.get(`${storeAt(at)} ${who}`) : undefined;
      const staff_secret = cards.get(storeAt(at));
      const body = { at, store_code: storeAt(at), staff_secret, ...(request_id ? { request_id } : {}), ...tapped(at, tap) };
      await post('confirm', 'multi-stamp/confirm', body, confirmRefusals, await tokenOf(who));
    },
    async cancel({ who, at }) {
      const request_id = requests.get(`${storeAt(at)} ${who}`);
      if (request_id) await post('cancel', 'multi-stamp/cancel', { at, request_id }, [], await tokenOf(who));
    },
    async sweep() {
      await Promise.all([expireVouchers(running.service.context), expireMultiStamps(running.service.context)]);
    },
  };
  return {
    shop,
    shops,
    customers,
    driver,
    orders,
    visits,
    handedOver,
    wrong,
    async take({ steps, minutes }) {
      await Promise.all(
        steps.flatMap((step) =>
          Array.from({ length: 'callers' in step ? step.callers : 1 }, () => (actions[step.do] as (step: Step) => Promise<unknown>)(step)),
        ),
      );
      await processed();
      wrong.push(...(await erasure.left()));
      running.clock.advance({ minutes });
    },
  };
}

const tagOf = (storeId: string): string => `04${storeId.replaceAll('-', '').slice(0, 12).toUpperCase()}`;

/** Opens the stores. Each has a tag in a programme of its own; that of the first is the programme of all. */
async function openStores(running: Running, driver: ModelShop['driver'], stores: number): Promise<readonly Shop[]> {
  const ids = Array.from({ length: stores }, () => randomUUID());
  const terms = {
    ...withoutProof,
    driver,
    goal,
    daily_stamp_limit: 8,
    monthly_stamp_quota: monthlyQuota,
    voucher_days: 1,
    multi_stamp: { ...withoutProof.multi_stamp, max_request: 3, monthly_ceiling: multiStampCeiling },
  };
  const programmeAt = (id: string, index: number) => ({ ...terms, tags: [{ uid: tagOf(id) }], store_ids: index === 0 ? ids.slice(1) : [] });
  return await Promise.all(ids.map((id, index) => openShop(running, programmeAt(id, index), { code: id.slice(0, 8) }, id)));
}
