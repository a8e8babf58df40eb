import { randomBytes, randomUUID } from 'node:crypto';
import type { TokenClaims } from '@corner/testkit';
import { staffOf } from './events.ts';
import type { Running } from './running.ts';
import { type Answered, customerToken, type Shop } from './shop.ts';

/** A customer at a counter, and the four deeds of several stamps at once. */
export interface AtCounter {
  readonly id: string;
  readonly token: string;
  ask(stamps?: number, more?: object): Promise<Answered>;
  confirm(more?: object, headers?: Record<string, string>): Promise<Answered>;
  cancel(requestId: string): Promise<Answered>;
  status(query?: string): Promise<Answered>;
}

export interface Member {
  readonly id: string;
  /** An auth card's public token id. */
  readonly card: string;
}

/** A member of staff of a shop, with a card. */
export async function hire(running: Running, { storeId }: Shop): Promise<Member> {
  const member = { id: randomUUID(), card: randomBytes(16).toString('hex') };
  const stores = [{ id: storeId, role: 'staff' as const }];
  await running.consume(staffOf(member.id, { stores, cards: [{ token_id: member.card, store_id: storeId }] }));
  return member;
}

/** A customer who shows a member's card unless told otherwise. */
export async function atCounter(running: Running, shop: Shop, member: Member): Promise<AtCounter> {
  const id = randomUUID();
  const token = await customerToken(running, id);
  const post = (deed: string, body: object, headers?: Record<string, string>) => shop.post(`multi-stamp/${deed}`, body, token, headers);
  return {
    id,
    token,
    ask: (stamps = 2, more = {}) => post('request', { store_id: shop.storeId, requested_stamps: stamps, ...more }),
    confirm: (more = {}, headers = {}) => post('confirm', { store_code: shop.storeId, staff_secret: member.card, ...more }, headers),
    cancel: (requestId) => post('cancel', { request_id: requestId }),
    status: (query = `store_id=${shop.storeId}`) => shop.get(`multi-stamp/status?${query}`, token),
  };
}

/** A staff session at a shop, for 12 hours. */
export function staffSession(running: Running, storeId: string, more: Partial<TokenClaims> = {}): Promise<string> {
  const exp = Math.floor(running.clock.now().getTime() / 1_000) + 12 * 3_600;
  return running.issuer.token({ typ: 'staff', aud: 'staff-session', exp, stores: [{ id: storeId, role: 'staff' }], ...more });
}

/** What a refusal says: its status and code. */
export const refusalOf = async (answered: Promise<Answered>): Promise<[number, string | undefined]> => {
  const { status, body } = await answered;
  return [status, body.error?.code];
};
