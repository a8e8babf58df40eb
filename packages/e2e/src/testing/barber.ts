import { randomUUID } from 'node:crypto';
import { applyDirectory, connectNats, type Message, people, stores } from '@corner/sandbox';
import { until } from '@corner/testkit';
import { expect } from '@jest/globals';
import pg from 'pg';
import { sendUntilAnswered } from '../client.ts';
import type { SystemUnderTest } from './running-system.ts';

export interface Errand {
  readonly template: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: number;
}

const store_id = stores.cuts.id;

/** The barber's queue and what its customers are sent: as a client, an operator and a phone see it. */
export function barberOf(under: SystemUnderTest) {
  const { system, history } = under;
  const phoneOf = (customerId: string) => `phone-${customerId}`;

  /** On a connection of its own, since the server is killed meanwhile. */
  async function rows<T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    const database = new pg.Client({ connectionString: system.databaseUrl });
    await database.connect();
    try {
      return (await database.query<T>(text, [...values])).rows;
    } finally {
      await database.end();
    }
  }
  const far = (deed: string, body: object = {}) =>
    fetch(`${system.messagesUrl}/_sim/${deed}`, { method: 'POST', body: JSON.stringify(body) });
  const inbox = async (query = ''): Promise<readonly Message[]> =>
    (await (await fetch(`${system.messagesUrl}/inbox.json${query}`)).json()) as Message[];
  const received = (customerId: string) => inbox(`?to=${phoneOf(customerId)}`);
  const titles = async (customerId: string) => (await received(customerId)).map(({ title }) => title);
  const errands = (customerId: string) =>
    rows<Errand>('select template, state, reason, attempts from notifications.errand where customer_id = $1 order by created_at', [
      customerId,
    ]);

  async function post(operation: string, path: string, token: string | null, body: object): Promise<Record<string, unknown>> {
    const call = { operation, method: 'POST', url: `${system.gatewayUrl}/api/v1/${path}`, body, key: randomUUID() } as const;
    const answer = await sendUntilAnswered(history, token === null ? call : { ...call, token });
    expect({ operation, status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
    return answer.body;
  }

  return {
    rows,
    inbox,
    received,
    titles,
    errands,
    clearFaults: () => far('clear-faults'),
    /** Lets the next push to a customer's phone be put off. */
    putOff: (customerId: string) => far('fail', { at: 'fcm', how: 'unavailable', to: phoneOf(customerId) }),
    /** Makes customers the directory knows, each with a phone and no e-mail: every message to them is a push. */
    async newCustomers(count: number): Promise<string[]> {
      const customers = Array.from({ length: count }, () => ({ id: randomUUID(), name: 'Dee' }));
      const connection = await connectNats(system.natsUrl, 'test');
      const known = customers.map((customer) => ({ ...customer, push_devices: [{ id: phoneOf(customer.id), platform: 'android' }] }));
      await applyDirectory({ customers: known }, { connection });
      await connection.close();
      return customers.map(({ id }) => id);
    },
    /** Resolves when a customer has received exactly messages of these titles, in this order. */
    arrived: (customerId: string, ...wanted: readonly string[]) =>
      until(
        async () => {
          const there = await titles(customerId);
          if (there.length > wanted.length || there.some((title, at) => title !== wanted[at])) expect(there).toEqual(wanted);
          return there.length === wanted.length;
        },
        { describe: wanted.join(', '), timeoutMs: 30_000 },
      ),
    /** Resolves as soon as the last errand made for a customer looks like this. */
    lastErrand: (customerId: string, like: Partial<Errand>) =>
      until(
        async () => {
          const last = (await errands(customerId)).at(-1);
          return last !== undefined && Object.entries(like).every(([name, value]) => last[name as keyof Errand] === value);
        },
        { describe: JSON.stringify(like), timeoutMs: 30_000 },
      ),
    /** Has a customer join the queue; a guest without an account where there is none. Answers how staff moves them and what they wish. */
    async joined(customerId: string | null) {
      const owner = await system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [store_id], name: people.bo.name });
      const customer = customerId === null ? null : await system.tokens.token({ typ: 'customer', sub: customerId });
      const { entry_id } = await post('join', 'queue/join', customer, { store_id, ...(customer === null ? { guest_name: 'Dee' } : {}) });
      return {
        entryId: String(entry_id),
        move: (move: string) => post(move, `queue/entries/${entry_id}/${move}`, owner, { store_id }),
        wish: (toggles: object) => post('wish', 'notifications/preferences', customer, { storeId: store_id, ...toggles }),
      };
    },
  };
}

export type Barber = ReturnType<typeof barberOf>;
