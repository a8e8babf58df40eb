import type { RunningSystem } from '@corner/sandbox';

/** Runs `work` while the services that consume events of orders are stopped. They run and are ready again when it resolves. */
export async function whileConsumersAreStopped<T>({ services }: RunningSystem, work: () => Promise<T>): Promise<T> {
  const consumers = [services.loyalty, services.notifications, services.queue];
  await Promise.all(consumers.map((service) => service.stop()));
  try {
    return await work();
  } finally {
    await Promise.all(consumers.map((service) => service.restart()));
  }
}
