import { randomUUID } from 'node:crypto';
import type { DataInputOf, directoryProgramme, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Paid, paidEvent, paidOrder, programmeOf, storeOf } from './events.ts';
import type { Running } from './running.ts';

export interface TestResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly body: any;
}

const OutboxEntry = z.object({
  type: z.string(),
  sequence: z.number(),
  data: z.any(),
});

/**
 * A store with a programme, and the requests that tests send to it: as its owner, unless they pass another token. `pay` publishes a paid
 * order and waits until it is processed. `events` are a card's published events, in order.
 */
export interface Shop {
  readonly storeId: string;
  grant(customerId: string, idempotencyKey?: string): Promise<TestResponse>;
  state(customerId: string, token?: string): Promise<TestResponse>;
  post(path: string, body: unknown, token?: string, headers?: Record<string, string>): Promise<TestResponse>;
  get(path: string, token?: string): Promise<TestResponse>;
  pay(customerId: string, more?: Partial<Paid>): Promise<Paid>;
  events(customerId: string): Promise<readonly z.output<typeof OutboxEntry>[]>;
}

export async function openShop(
  running: Running,
  programme: Partial<DataInputOf<typeof directoryProgramme>> = {},
  store: Partial<DataInputOf<typeof directoryStore>> = {},
  storeId: string = randomUUID(),
): Promise<Shop> {
  await running.consume(storeOf(storeId, store), programmeOf(storeId, programme));
  const send = async (path: string, token: string | undefined, init: RequestInit = {}): Promise<TestResponse> => {
    const response = await fetch(`${running.service.url}/api/v1/loyalty/${path}`, {
      ...init,
      headers: {
        ...(token === anonymous ? {} : { authorization: `Bearer ${token ?? (await ownerOf(running, storeId))}` }),
        'content-type': 'application/json',
        ...init.headers,
      },
    });
    return { status: response.status, body: await response.json() };
  };
  const post: Shop['post'] = (path, body, token, headers = {}) =>
    send(path, token, { method: 'POST', body: JSON.stringify(body), headers });
  return {
    storeId,
    post,
    get: (path, token) => send(path, token),
    grant: (customerId, idempotencyKey) =>
      post('stamps', { store_id: storeId, customer_id: customerId, ...(idempotencyKey ? { idempotency_key: idempotencyKey } : {}) }),
    state: (customerId, token) => send(`customer-state?store_id=${storeId}&customer_id=${customerId}`, token),
    async pay(customerId, more) {
      const paid = paidOrder(storeId, customerId, more);
      await running.consume(paidEvent(paid));
      return paid;
    },
    events: (customerId) =>
      running.service.database.any(sql.type(OutboxEntry)`
        select type, aggregate_sequence as sequence, data from outbox where aggregate_id = ${`${storeId}:${customerId}`} order by aggregate_sequence, id`),
  };
}

/** The settings of a store that asks for no proof of a tap, for tests about something else. */
export const withoutProof = { codes_without_proof: 'count', multi_stamp: { staff_card_without_tap: 'accept' } } as const;

/** In the place of a token: the caller is not signed in. */
export const anonymous = 'anonymous';

export const customerToken = (running: Running, customerId: string): Promise<string> =>
  running.issuer.token({ typ: 'customer', sub: customerId });

export const ownerOf = (running: Running, storeId: string): Promise<string> =>
  running.issuer.token({ typ: 'merchant', scope: 'merchant:read', stores: [{ id: storeId, role: 'owner' }] });

export const cy = { id: '0190a000-0000-7000-8000-0000000000e1', name: 'Cy' } as const;
export const bo = { id: '0190a000-0000-7000-8000-0000000000e2', name: 'Bo' } as const;

export const staffOf = (
  running: Running,
  storeId: string,
  { id, name }: { readonly id: string; readonly name: string } = cy,
  role: 'staff' | 'manager' = 'staff',
): Promise<string> => running.issuer.token({ typ: 'staff', sub: id, name, scope: 'merchant:read', stores: [{ id: storeId, role }] });

/**
 * Inserts a stamp that waits for approval at a shop, or at another store of its programme, as a tap without proof leaves one. A null
 * customer is a guest. Returns its id.
 */
export async function addPendingStamp(
  running: Running,
  { storeId }: Shop,
  customerId: string | null = randomUUID(),
  at: string | null = null,
): Promise<string> {
  const id = randomUUID();
  await running.service.database.query(sql.type(z.object({}))`
    insert into stamp (id, store_id, customer_id, status, source, approval_reason, created_at, at_store_id)
    values (${id}, ${storeId}, ${customerId}, 'pending', 'nfc', 'no_proof', ${running.clock.now().toISOString()}, ${at})`);
  return id;
}
