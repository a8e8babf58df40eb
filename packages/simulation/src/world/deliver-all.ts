import type { Deliverable } from '../broker/simulated-broker.ts';
import type { SimulatedPlatform } from './platform.ts';

export async function deliverAll({ broker, gate }: SimulatedPlatform): Promise<void> {
  const keyOf = ({ producer, service }: Deliverable) => `${producer} ${service}`;
  await gate.carry();
  for (let waiting = broker.deliverable; waiting.length > 0; waiting = broker.deliverable) {
    const first = keyOf(waiting[0] as Deliverable);
    for (const event of waiting.filter((one) => keyOf(one) === first)) broker.deliver(event);
    await gate.carry();
  }
}
