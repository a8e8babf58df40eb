import { randomUUID } from 'node:crypto';
import { people, stores, tags } from '@corner/sandbox/demo';
import { tapTag } from '@corner/sandbox/tags';
import { expect } from '@jest/globals';
import { callWithRetries } from './recording-client.ts';
import type { TestEnvironment } from './test-environment.ts';

const loyaltySteps = [
  'request two stamps at once',
  'read the status of the request',
  'cancel the request',
  'request three stamps at once',
  'confirm with a staff card',
  'generate a code with a tap',
  'redeem the code',
  'sync twenty receipts',
  'list the pending stamps',
  'approve a stamp, which completes a voucher',
  'reject a stamp',
  'grant a stamp',
  'undo the granted stamp',
  'grant another stamp',
  'redeem the voucher',
  'read the customer state',
] as const;
export type LoyaltyStep = (typeof loyaltySteps)[number];

const store_id = stores.coffee.id;
const card = 'card_0123456789abcdef0123456789abcdef';
const [tag] = tags;
let taps = 0;
export const freshTap = () => {
  taps += 1;
  return tapTag(tag.uid, taps, {});
};

export interface LoyaltyActors {
  readonly customerId: string;
  readonly customer: string;
  readonly owner: string;
  call(
    operation: string,
    path: string,
    token: string | null,
    body?: object,
    key?: string,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
}

export async function newLoyaltyActors(environment: TestEnvironment): Promise<LoyaltyActors> {
  const customerId = randomUUID();
  const { tokens, gatewayUrl } = environment.system;
  const [customer, owner] = await Promise.all([
    tokens.token({ typ: 'customer', sub: customerId }),
    tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [store_id], role: 'owner', scope: 'merchant:read' }),
  ]);
  return {
    customerId,
    customer,
    owner,
    call: async (operation, path, token, body, key = randomUUID()) => {
      const shared = { operation, url: `${gatewayUrl}/api/v1/loyalty/${path}`, ...(token ? { token } : {}) };
      const apiCall = body ? ({ ...shared, method: 'POST', body, key } as const) : ({ ...shared, method: 'GET' } as const);
      return await callWithRetries(environment.history, apiCall);
    },
  };
}

export async function runLoyaltyScenario(
  environment: TestEnvironment,
  around: <T>(step: LoyaltyStep, call: () => Promise<T>) => Promise<T> = (_, call) => call(),
): Promise<string> {
  const actors = await newLoyaltyActors(environment);
  const { customerId: customer_id, customer, owner } = actors;
  const runStep = async (step: LoyaltyStep, path: string, token: string, body?: object): Promise<Record<string, unknown>> => {
    const key = randomUUID();
    const response = await around(step, () => actors.call(step, path, token, body, key));
    expect({ step, status: response.status, body: response.body }).toMatchObject({ status: 200 });
    return response.body;
  };

  const first = await runStep('request two stamps at once', 'multi-stamp/request', customer, { store_id, requested_stamps: 2 });
  const pending = await runStep('read the status of the request', `multi-stamp/status?store_id=${store_id}`, customer);
  expect(pending).toMatchObject({ has_pending_request: true, request: { id: first.request_id, requested_stamps: 2 } });
  const cancelled = await runStep('cancel the request', 'multi-stamp/cancel', customer, { request_id: first.request_id });
  expect(cancelled).toEqual({ cancelled: true, previous_status: 'pending' });
  await runStep('request three stamps at once', 'multi-stamp/request', customer, { store_id: 's1', requested_stamps: 3 });
  const confirmed = await runStep('confirm with a staff card', 'multi-stamp/confirm', customer, {
    store_code: 'S1',
    staff_secret: card,
    ...freshTap(),
  });
  expect(confirmed).toMatchObject({ action: 'confirmed', stamps_created: 3, current_stamps: 3, vouchers_earned: 0 });

  const minted = await runStep('generate a code with a tap', 'stamp-codes', customer, { store_id, ttl_seconds: 300, ...freshTap() });
  expect(minted).toMatchObject({ presence_verified: true });
  const redeemed = await runStep('redeem the code', 'stamp-codes/redeem', customer, {
    code: minted.full_message,
    expected_store_id: store_id,
  });
  expect(redeemed).toMatchObject({ counts_now: true, current_stamps: 4 });

  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 1_000).toISOString();
  const receipts = Array.from({ length: 20 }, (_, n) => ({
    receipt_id: `receipt ${n}`,
    store_code: 'S1',
    ...(n === 19
      ? { nfc_picc_data: 'AA'.repeat(16), nfc_cmac: 'AA'.repeat(8), nfc_key_version: '1' }
      : { tap_timestamp: daysAgo((18 - n) % 6) }),
  }));
  const synced = await runStep('sync twenty receipts', 'stamps/sync-offline', customer, { stamps: receipts });
  const results = synced.results as { success: boolean; stamp_status: string; stamp_id: string }[];
  expect(results.map(({ success, stamp_status }) => [success, stamp_status])).toEqual(receipts.map(() => [true, 'pending']));
  const [approve, reject] = [results[19]?.stamp_id, results[18]?.stamp_id];

  const listed = await runStep('list the pending stamps', `pending-stamps?store_id=${store_id}&status=pending`, owner);
  expect((listed.stamps as object[])[0]).toMatchObject({
    id: approve,
    customer_id,
    approval_reason: 'proof_invalid',
    customer: { id: customer_id },
  });
  const resolved = await runStep('approve a stamp, which completes a voucher', 'pending-stamps/resolve', owner, {
    store_id,
    stamp_id: approve,
    action: 'approve',
  });
  expect(resolved.result).toMatchObject({ success: true, stamp_count: 0, voucher_created: true });
  const { voucher_id } = resolved.result as { voucher_id: string };
  await runStep('reject a stamp', 'stamps/review', owner, { store_id, stamp_id: reject, action: 'reject' });

  const granted = await runStep('grant a stamp', 'stamps', owner, { store_id, customer_id, idempotency_key: randomUUID() });
  expect(granted).toMatchObject({ current_stamps: 1, idempotent: false });
  const undone = await runStep('undo the granted stamp', 'stamps/undo', owner, { store_id, customer_id, stamp_id: granted.stamp_id });
  expect(undone).toMatchObject({ undone: true, current_stamps: 0, by: { id: people.bo.id } });
  await runStep('grant another stamp', 'stamps', owner, { store_id, customer_id });
  const used = await runStep('redeem the voucher', 'redemptions', owner, { store_id, customer_id, voucher_id });
  expect(used).toMatchObject({ voucher_id, reward_title: 'A coffee on us' });
  const state = await runStep('read the customer state', `customer-state?store_id=${store_id}&customer_id=${customer_id}`, owner);
  expect(state).toMatchObject({ stamp_count: 1, goal: 5, active_vouchers: [], order_count: 0 });
  return customer_id;
}
