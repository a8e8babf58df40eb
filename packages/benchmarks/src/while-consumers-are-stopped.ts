import type { RunningSystem } from '@corner/sandbox';

/** Does something while the services that hear of orders are stopped. They are back, and ready, when it resolves. */
export async function whileConsumersAreStopped<T>({ services }: RunningSystem, deed: () => Promise<T>): Promise<T> {
  const listeners = [services.loyalty, services.notifications, services.queue];
  await Promise.all(listeners.map((service) => service.stop()));
  try {
    return await deed();
  } finally {
    await Promise.all(listeners.map((service) => service.restart()));
  }
}
