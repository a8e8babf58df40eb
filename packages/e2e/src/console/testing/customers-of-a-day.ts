import { randomUUID } from 'node:crypto';
import { type CornerClient, CornerError } from '@corner/client';
import { demoDirectory, stores } from '@corner/sandbox/demo';
import { basket, payAndConfirm } from '../../testing/order-scenario.ts';
import { recordingClient } from '../../testing/recording-client.ts';
import type { TestEnvironment } from '../../testing/test-environment.ts';

export type CustomerName = 'Ana' | 'Ben' | 'Dee' | 'Eli' | 'Mia';

export type Basket = Readonly<Record<string, number>>;

export interface PlacedOrder {
  readonly id: string;
  readonly number: string;
}

const store_id = stores.coffee.id;
const { customers } = demoDirectory(new Date()) as {
  readonly customers: readonly { readonly id: string; readonly name: string; readonly phone?: string }[];
};

export function customerNamed(name: CustomerName) {
  const found = customers.find((customer) => customer.name === name);
  if (!found) throw new Error(`the demo's directory has no ${name}`);
  return found;
}

export function customersOf(environment: TestEnvironment) {
  const { system, history } = environment;
  const clientOf = async (
    name: CustomerName,
    operation: string,
    key: string = randomUUID(),
    patienceMs?: number,
  ): Promise<CornerClient> => {
    const token = await system.tokens.token({ typ: 'customer', sub: customerNamed(name).id });
    return recordingClient(system.gatewayUrl, history, { operation, token, key }, patienceMs);
  };
  const bodyOf = (key: string, items: Basket) => ({
    ...basket(key),
    items: Object.entries(items).map(([menu_item_id, quantity]) => ({ menu_item_id, quantity })),
  });
  return {
    async order(name: CustomerName, items: Basket): Promise<PlacedOrder> {
      const key = randomUUID();
      const { data } = await (await clientOf(name, 'create', key)).POST('/api/v1/orders', { body: bodyOf(key, items) });
      await payAndConfirm(environment, await clientOf(name, 'confirm'), store_id, data);
      return { id: data.order_id, number: data.order_number };
    },
    async refusalOf(name: CustomerName, items: Basket): Promise<CornerError | null> {
      const key = randomUUID();
      const client = await clientOf(name, 'create', key, 0);
      try {
        await client.POST('/api/v1/orders', { body: bodyOf(key, items) });
        return null;
      } catch (error) {
        if (error instanceof CornerError) return error;
        throw error;
      }
    },
    async cancel(name: CustomerName, orderId: string): Promise<void> {
      const client = await clientOf(name, 'cancel');
      await client.POST('/api/v1/orders/{orderId}/cancel', { params: { path: { orderId } }, body: { store_id } });
    },
  };
}

export type Customers = ReturnType<typeof customersOf>;
