import type { Deliverable } from '../broker/simulated-broker.ts';
import type { SimulatedPlatform } from './platform.ts';

/** Delivers what waits until nothing does, all events of a producer to a service at once. */
export async function deliverAll({ broker, gate }: SimulatedPlatform): Promise<void> {
  const keyOf = ({ producer, service }: Deliverable) => `${producer} ${service}`;
  await gate.carry();
  for (let waiting = broker.deliverable; waiting.length > 0; waiting = broker.deliverable) {
    const first = keyOf(waiting[0] as Deliverable);
    for (const event of waiting.filter((one) => keyOf(one) === first)) broker.deliver(event);
    await gate.carry();
  }
}
