import { randomBytes, randomUUID } from 'node:crypto';
import type { TokenClaims } from '@corner/testkit';
import { staffOf } from './events.ts';
import type { Running } from './running.ts';
import { customerToken, type Shop, type TestResponse } from './shop.ts';

export interface AtCounter {
  readonly id: string;
  readonly token: string;
  request(stamps?: number, more?: object): Promise<TestResponse>;
  confirm(more?: object, headers?: Record<string, string>): Promise<TestResponse>;
  cancel(requestId: string): Promise<TestResponse>;
  status(query?: string): Promise<TestResponse>;
}

export interface Member {
  readonly id: string;
  readonly card: string;
}

export async function addStaff(running: Running, { storeId }: Shop): Promise<Member> {
  const member = { id: randomUUID(), card: randomBytes(16).toString('hex') };
  const stores = [{ id: storeId, role: 'staff' as const }];
  await running.consume(staffOf(member.id, { stores, cards: [{ token_id: member.card, store_id: storeId }] }));
  return member;
}

/** Creates a customer, whose requests are confirmed with the member's card unless a test passes something else. */
export async function atCounter(running: Running, shop: Shop, member: Member, id: string = randomUUID()): Promise<AtCounter> {
  const token = await customerToken(running, id);
  const post = (operation: string, body: object, headers?: Record<string, string>) =>
    shop.post(`multi-stamp/${operation}`, body, token, headers);
  return {
    id,
    token,
    request: (stamps = 2, more = {}) => post('request', { store_id: shop.storeId, requested_stamps: stamps, ...more }),
    confirm: (more = {}, headers = {}) => post('confirm', { store_code: shop.storeId, staff_secret: member.card, ...more }, headers),
    cancel: (requestId) => post('cancel', { request_id: requestId }),
    status: (query = `store_id=${shop.storeId}`) => shop.get(`multi-stamp/status?${query}`, token),
  };
}

export function staffSession(running: Running, storeId: string, more: Partial<TokenClaims> = {}): Promise<string> {
  const exp = Math.floor(running.clock.now().getTime() / 1_000) + 12 * 3_600;
  return running.issuer.token({ typ: 'staff', aud: 'staff-session', exp, stores: [{ id: storeId, role: 'staff' }], ...more });
}

export const refusalOf = async (response: Promise<TestResponse>): Promise<[number, string | undefined]> => {
  const { status, body } = await response;
  return [status, body.error?.code];
};
