import { signIn } from '../load/customers.ts';
import { payForOrders } from '../load/paid-orders.ts';
import { placeOrders } from '../load/place-orders.ts';
import { freeBasket, pricedBasket } from './bench-stores.ts';
import type { BenchSystem } from './bench-system.ts';
import { untilSettled } from './settled.ts';

export async function warmUp(bench: BenchSystem, seconds: number): Promise<void> {
  const { system, database } = bench;
  for (const { stores, customerIds } of [bench.plain, bench.rewarding]) {
    const customers = await signIn(system, customerIds);
    await placeOrders({ gatewayUrl: system.gatewayUrl, customers, stores, basket: freeBasket, concurrency: 16, seconds });
    await payForOrders({ system, customers, stores, basket: pricedBasket, concurrency: 16, seconds });
  }
  await untilSettled(bench);
  await database.query('analyze');
}
