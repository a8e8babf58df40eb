import { randomUUID } from 'node:crypto';
import { type CornerClient, CornerError } from '@corner/client';
import { demoDirectory, stores } from '@corner/sandbox/demo';
import { basket, payAndConfirm } from '../../testing/order-scenario.ts';
import { recordingClient } from '../../testing/recording-client.ts';
import type { TestEnvironment } from '../../testing/test-environment.ts';

/** The names of the customers in the demo's directory. */
export type CustomerName = 'Ana' | 'Ben' | 'Dee' | 'Eli' | 'Mia';

/** Units of each item of the coffee shop's menu. */
export type Basket = Readonly<Record<string, number>>;

/** An order as its customer sees it once it is paid. */
export interface PlacedOrder {
  readonly id: string;
  readonly number: string;
}

const store_id = stores.coffee.id;
const { customers } = demoDirectory(new Date()) as {
  readonly customers: readonly { readonly id: string; readonly name: string; readonly phone?: string }[];
};

/** Returns the customer of the demo's directory who has this name. */
export function customerNamed(name: CustomerName) {
  const found = customers.find((customer) => customer.name === name);
  if (!found) throw new Error(`the demo's directory has no ${name}`);
  return found;
}

/** Customers with phones, who order at the coffee shop through the platform's operations. Each attempt is in the environment's history. */
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
    /** Places an order to be collected as soon as it is ready, pays it, and waits for the confirmation. */
    async order(name: CustomerName, items: Basket): Promise<PlacedOrder> {
      const key = randomUUID();
      const { data } = await (await clientOf(name, 'create', key)).POST('/api/v1/orders', { body: bodyOf(key, items) });
      await payAndConfirm(environment, await clientOf(name, 'confirm'), store_id, data);
      return { id: data.order_id, number: data.order_number };
    },
    /** Tries to place an order, once. Returns the refusal; null when the order was placed. */
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
    /** Cancels the customer's own order. */
    async cancel(name: CustomerName, orderId: string): Promise<void> {
      const client = await clientOf(name, 'cancel');
      await client.POST('/api/v1/orders/{orderId}/cancel', { params: { path: { orderId } }, body: { store_id } });
    },
  };
}

export type Customers = ReturnType<typeof customersOf>;
