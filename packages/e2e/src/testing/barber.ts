import { randomUUID } from 'node:crypto';
import { people, stores } from '@corner/sandbox/demo';
import type { Message } from '@corner/sandbox/messages';
import { until } from '@corner/testkit';
import { expect } from '@jest/globals';
import pg from 'pg';
import { publishDirectory } from './own-store.ts';
import { callWithRetries } from './recording-client.ts';
import type { TestEnvironment } from './test-environment.ts';

export interface MessageRow {
  readonly template: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: number;
}

export const calledTitle = 'It is your turn';

/**
 * Drives the queue of a barber's shop, the demo's by default, through the API. Opens a connection for each query, because tests kill the
 * server in between.
 */
export function barberOf(environment: TestEnvironment, store_id: string = stores.cuts.id) {
  const { system, history } = environment;
  const phoneOf = (customerId: string) => `phone-${customerId}`;

  async function rows<T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    const database = new pg.Client({ connectionString: system.databaseUrl });
    await database.connect();
    try {
      return (await database.query<T>(text, [...values])).rows;
    } finally {
      await database.end();
    }
  }
  const control = (command: string, body: object = {}) =>
    fetch(`${system.messagesUrl}/_sim/${command}`, { method: 'POST', body: JSON.stringify(body) });
  const inbox = async (query = ''): Promise<readonly Message[]> =>
    (await (await fetch(`${system.messagesUrl}/inbox.json${query}`)).json()) as Message[];
  const received = (customerId: string) => inbox(`?to=${phoneOf(customerId)}`);
  const titles = async (customerId: string) => (await received(customerId)).map(({ title }) => title);
  const messageRows = (customerId: string) =>
    rows<MessageRow>('select template, state, reason, attempts from notifications.message where customer_id = $1 order by created_at', [
      customerId,
    ]);

  async function post(operation: string, path: string, token: string | null, body: object): Promise<Record<string, unknown>> {
    const apiCall = { operation, method: 'POST', url: `${system.gatewayUrl}/api/v1/${path}`, body, key: randomUUID() } as const;
    const response = await callWithRetries(history, token === null ? apiCall : { ...apiCall, token });
    expect({ operation, status: response.status, body: response.body }).toMatchObject({ status: 200 });
    return response.body;
  }

  return {
    rows,
    inbox,
    received,
    titles,
    messageRows,
    /** Ends the leases of a process that died, which would last another minute and a half. */
    expireLeases: () => rows('update notifications.topic set lease_expires_at = now() where lease_expires_at is not null'),
    clearFaults: () => control('clear-faults'),
    failNextPush: (customerId: string) => control('fail', { at: 'fcm', how: 'unavailable', to: phoneOf(customerId) }),
    /** A text from a phone, as an answer. */
    answer: async (from: string, text: string): Promise<unknown> => (await control('text', { from, text })).json(),
    async answers(): Promise<unknown> {
      const authorization = `Bearer ${await system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [store_id] })}`;
      const response = await fetch(`${system.gatewayUrl}/api/v1/notifications/stores/${store_id}/messages`, { headers: { authorization } });
      return ((await response.json()) as { answers: unknown }).answers;
    },
    async newCustomers(count: number): Promise<string[]> {
      const customers = Array.from({ length: count }, () => ({ id: randomUUID(), name: 'Dee' }));
      const known = customers.map((customer) => ({ ...customer, push_devices: [{ id: phoneOf(customer.id), platform: 'android' }] }));
      await publishDirectory(system, { customers: known });
      return customers.map(({ id }) => id);
    },
    /** Exactly these messages, in this order. Fails on any other message. */
    untilReceived: (customerId: string, ...wanted: readonly string[]) =>
      until(
        async () => {
          const received = await titles(customerId);
          if (received.length > wanted.length || received.some((title, at) => title !== wanted[at])) expect(received).toEqual(wanted);
          return received.length === wanted.length;
        },
        { describe: wanted.join(', ') },
      ),
    untilLastMessage: (customerId: string, like: Partial<MessageRow>) =>
      until(
        async () => {
          const last = (await messageRows(customerId)).at(-1);
          return last !== undefined && Object.entries(like).every(([name, value]) => last[name as keyof MessageRow] === value);
        },
        { describe: JSON.stringify(like) },
      ),
    async approveStamp(customerId: string) {
      const owner = await system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [store_id], name: people.bo.name });
      const customer = await system.tokens.token({ typ: 'customer', sub: customerId });
      const { code } = await post('generate code', 'loyalty/stamp-codes', customer, { store_id });
      const { stamp_id } = await post('redeem code', 'loyalty/stamp-codes/redeem', customer, { code, expected_store_id: store_id });
      await post('approve', 'loyalty/stamps/review', owner, { store_id, stamp_id, action: 'approve' });
    },
    /** A guest when `customerId` is null. */
    async join(customerId: string | null, details: object = {}) {
      const owner = await system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [store_id], name: people.bo.name });
      const customer = customerId === null ? null : await system.tokens.token({ typ: 'customer', sub: customerId });
      const { entry_id } = await post('join', 'queue/join', customer, {
        store_id,
        ...(customer === null ? { guest_name: 'Dee' } : {}),
        ...details,
      });
      return {
        entryId: String(entry_id),
        move: (move: string) => post(move, `queue/entries/${entry_id}/${move}`, owner, { store_id }),
        setPreferences: (toggles: object) =>
          post('set preferences', 'notifications/preferences', customer, { storeId: store_id, ...toggles }),
      };
    },
  };
}

export type Barber = ReturnType<typeof barberOf>;
