import { knowsCustomer, rpcSubject } from '@corner/contracts';
import type { Running } from './running.ts';

export interface Visits extends Disposable {
  add(storeId: string, customerId: string): void;
}

/** Answers for loyalty which customers are known at a store: those who were added; with `everyone`, anyone. */
export async function answerForLoyalty(running: Running, { everyone = false } = {}): Promise<Visits> {
  const { broker } = await running.service.backbone;
  const visits = new Set<string>();
  const subscription = broker.connection.subscribe(broker.subject(rpcSubject(knowsCustomer)), {
    callback(_error, message) {
      const { store_id, customer_id } = message.json<{ store_id: string; customer_id: string }>();
      message.respond(JSON.stringify({ output: { known: everyone || visits.has(`${store_id} ${customer_id}`) } }));
    },
  });
  await broker.connection.flush();
  return {
    add: (storeId, customerId) => void visits.add(`${storeId} ${customerId}`),
    [Symbol.dispose]: () => subscription.unsubscribe(),
  };
}
