import { randomUUID } from 'node:crypto';
import { type CornerClient, createClient } from '@corner/client';
import { people, stores } from '@corner/sandbox/demo';
import pg from 'pg';
import { basket, payAndConfirm } from '../../testing/order-scenario.ts';
import type { TestEnvironment } from '../../testing/test-environment.ts';

const store_id = stores.coffee.id;

interface Line {
  readonly menu_item_id: string;
  readonly quantity: number;
  choices?: string[];
  readonly note?: string;
}

export async function peopleOf(environment: TestEnvironment) {
  const { system } = environment;
  const clientOf = (token: string): CornerClient => createClient({ baseUrl: system.gatewayUrl, token });
  const ana = clientOf(await system.tokens.token({ typ: 'customer', sub: people.ana.id }));
  const guest = createClient({ baseUrl: system.gatewayUrl });
  const owner = clientOf(
    await system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [store_id, stores.cuts.id], name: people.bo.name }),
  );
  return {
    owner,
    async order(items: readonly Line[] = []) {
      const order = basket(randomUUID());
      const { data } = await ana.POST('/api/v1/orders', { body: items.length > 0 ? { ...order, items: [...items] } : order });
      await payAndConfirm(environment, ana, store_id, data);
      return data;
    },
    mine: async (orderId: string) => (await ana.GET('/api/v1/orders/{orderId}/mine', { params: { path: { orderId } } })).data.order,
    async collectStamp() {
      const { data } = await ana.POST('/api/v1/loyalty/stamp-codes', { body: { store_id: stores.cuts.id } });
      await ana.POST('/api/v1/loyalty/stamp-codes/redeem', { body: { code: data.code, expected_store_id: stores.cuts.id } });
    },
    async stampsAtCuts() {
      const query = { store_id: stores.cuts.id, customer_id: people.ana.id };
      return (await owner.GET('/api/v1/loyalty/customer-state', { params: { query } })).data.stamp_count;
    },
    async join(guest_name: string) {
      return (await guest.POST('/api/v1/queue/join', { body: { store_id: stores.cuts.id, guest_name } })).data.entry_id;
    },
    menu: async () => (await guest.GET('/api/v1/orders/stores/{store_id}/menu', { params: { path: { store_id } } })).data.items,
    joinAsAna: async () => (await ana.POST('/api/v1/queue/join', { body: { store_id: stores.cuts.id } })).data,
    leave: (entry_id: string) => ana.POST('/api/v1/queue/leave', { body: { entry_id } }),
  };
}

export type Phone = Awaited<ReturnType<typeof peopleOf>>;

export const card = (column: string, orderId: string): string => `[data-column="${column}"] [data-order="${orderId}"]`;

export async function copyOrder({ system }: TestEnvironment, orderId: string, times: number): Promise<void> {
  const client = new pg.Client({ connectionString: system.databaseUrl });
  await client.connect();
  try {
    await client.query('set search_path to orders');
    await insertCopies(client, 'orders', orderId, times, {
      id: 'md5(id::text || k)::uuid',
      order_number: `'C-' || k`,
      collection_code: `upper(to_hex(65536 + k))`,
      idempotency_key: 'gen_random_uuid()',
      payment_intent_id: `'pi_copy_' || k`,
      is_first: 'false',
      requested_collection_at: `requested_collection_at + k * interval '1 second'`,
    });
    await insertCopies(client, 'order_line', orderId, times, { order_id: 'md5(order_id::text || k)::uuid' });
  } finally {
    await client.end();
  }
}

async function insertCopies(client: pg.Client, table: string, orderId: string, times: number, other: Readonly<Record<string, string>>) {
  const { rows } = await client.query<{ column: string }>(
    `select column_name as column from information_schema.columns
     where table_schema = 'orders' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const names = rows.map(({ column }) => `"${column}"`).join(', ');
  const values = rows.map(({ column }) => other[column] ?? `"${column}"`).join(', ');
  const id = table === 'orders' ? 'id' : 'order_id';
  await client.query(
    `insert into ${table} (${names}) select ${values} from ${table} cross join generate_series(1, ${times}) k where ${id} = $1`,
    [orderId],
  );
}
