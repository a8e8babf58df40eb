import { randomUUID } from 'node:crypto';
import { people, stores, tags, tapTag } from '@corner/sandbox';
import { expect } from '@jest/globals';
import { sendUntilAnswered } from '../client.ts';
import type { SystemUnderTest } from './running-system.ts';

/** The deeds of the story, in order: all fourteen operations of loyalty. */
export const loyaltySteps = [
  'ask for two at once',
  'look how it stands',
  'cancel it',
  'ask for three at once',
  'confirm by card',
  'mint a code with a tap',
  'redeem the code',
  'sync twenty receipts',
  'list what waits',
  'approve one, to a voucher',
  'reject one',
  'grant',
  'undo it',
  'grant another',
  'redeem the voucher',
  'look at the state',
] as const;
export type LoyaltyStep = (typeof loyaltySteps)[number];

const store_id = stores.coffee.id;
const card = 'card_0123456789abcdef0123456789abcdef';
const [tag] = tags;
let taps = 0;
/** A tap of the tag nobody made before. */
export const freshTap = () => {
  taps += 1;
  return tapTag(tag.uid, taps, {});
};

/** Everybody who takes part: a customer of their own, and the owner. */
export interface LoyaltyCast {
  readonly customerId: string;
  readonly customer: string;
  readonly owner: string;
  /** Calls through the gateway until there is an answer, under one key. */
  call(
    deed: string,
    path: string,
    token: string | null,
    body?: object,
    key?: string,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
}

export async function loyaltyCast(under: SystemUnderTest): Promise<LoyaltyCast> {
  const customerId = randomUUID();
  const { tokens, gatewayUrl } = under.system;
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
      const what = body ? ({ ...shared, method: 'POST', body, key } as const) : ({ ...shared, method: 'GET' } as const);
      // A call that was under way when its service died is let in again after half a minute.
      return await sendUntilAnswered(under.history, what, 60_000);
    },
  };
}

/** Walks through all of loyalty with a customer nobody has seen. `around` wraps each step's call. */
export async function walkLoyalty(
  under: SystemUnderTest,
  around: <T>(step: LoyaltyStep, call: () => Promise<T>) => Promise<T> = (_, call) => call(),
): Promise<string> {
  const cast = await loyaltyCast(under);
  const { customerId: customer_id, customer, owner } = cast;
  const does = async (step: LoyaltyStep, path: string, token: string, body?: object): Promise<Record<string, unknown>> => {
    const key = randomUUID();
    const answer = await around(step, () => cast.call(step, path, token, body, key));
    expect({ step, status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
    return answer.body;
  };

  const first = await does('ask for two at once', 'multi-stamp/request', customer, { store_id, requested_stamps: 2 });
  const standing = await does('look how it stands', `multi-stamp/status?store_id=${store_id}`, customer);
  expect(standing).toMatchObject({ has_pending_request: true, request: { id: first.request_id, requested_stamps: 2 } });
  const cancelled = await does('cancel it', 'multi-stamp/cancel', customer, { request_id: first.request_id });
  expect(cancelled).toEqual({ cancelled: true, previous_status: 'pending' });
  await does('ask for three at once', 'multi-stamp/request', customer, { store_id: 's1', requested_stamps: 3 });
  const confirmed = await does('confirm by card', 'multi-stamp/confirm', customer, { store_code: 'S1', staff_secret: card, ...freshTap() });
  expect(confirmed).toMatchObject({ action: 'confirmed', stamps_created: 3, current_stamps: 3, vouchers_earned: 0 });

  const minted = await does('mint a code with a tap', 'stamp-codes', customer, { store_id, ttl_seconds: 300, ...freshTap() });
  expect(minted).toMatchObject({ presence_verified: true });
  const redeemed = await does('redeem the code', 'stamp-codes/redeem', customer, {
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
  const synced = await does('sync twenty receipts', 'stamps/sync-offline', customer, { stamps: receipts });
  const results = synced.results as { success: boolean; stamp_status: string; stamp_id: string }[];
  expect(results.map(({ success, stamp_status }) => [success, stamp_status])).toEqual(receipts.map(() => [true, 'pending']));
  const [approve, reject] = [results[19]?.stamp_id, results[18]?.stamp_id];

  const listed = await does('list what waits', `pending-stamps?store_id=${store_id}&status=pending`, owner);
  expect((listed.stamps as object[])[0]).toMatchObject({
    id: approve,
    customer_id,
    approval_reason: 'proof_invalid',
    customer: { id: customer_id },
  });
  const resolved = await does('approve one, to a voucher', 'pending-stamps/resolve', owner, {
    store_id,
    stamp_id: approve,
    action: 'approve',
  });
  expect(resolved.result).toMatchObject({ success: true, stamp_count: 0, voucher_created: true });
  const { voucher_id } = resolved.result as { voucher_id: string };
  await does('reject one', 'stamps/review', owner, { store_id, stamp_id: reject, action: 'reject' });

  const granted = await does('grant', 'stamps', owner, { store_id, customer_id, idempotency_key: randomUUID() });
  expect(granted).toMatchObject({ current_stamps: 1, idempotent: false });
  const undone = await does('undo it', 'stamps/undo', owner, { store_id, customer_id, stamp_id: granted.stamp_id });
  expect(undone).toEqual({ undone: true, current_stamps: 0 });
  await does('grant another', 'stamps', owner, { store_id, customer_id });
  const used = await does('redeem the voucher', 'redemptions', owner, { store_id, customer_id, voucher_id });
  expect(used).toMatchObject({ voucher_id, reward_title: 'A coffee on us' });
  const state = await does('look at the state', `customer-state?store_id=${store_id}&customer_id=${customer_id}`, owner);
  expect(state).toMatchObject({ stamp_count: 1, goal: 5, active_vouchers: [], order_count: 0 });
  return customer_id;
}
