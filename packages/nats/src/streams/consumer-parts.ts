import { maxConsumerParts, type ServiceName, services } from '@corner/contracts';
import { z } from 'zod';

export type ConsumerParts = Readonly<Partial<Record<ServiceName, number>>>;

export const consumerNameOf = (service: ServiceName, part: number): string => (part === 0 ? service : `${service}_${part + 1}`);

export const consumersOf = (service: ServiceName, parts: ConsumerParts): string[] =>
  Array.from({ length: parts[service] ?? 1 }, (_, part) => consumerNameOf(service, part));

export const ConsumerPartsList = z
  .string()
  .default('')
  .transform((list, context): ConsumerParts => {
    const entries = list.split(',').filter(Boolean);
    const parts = entries.map((entry) => /^\s*(\w+)=(\d+)\s*$/.exec(entry) ?? []);
    if (
      parts.every(
        ([, service, count]) => services.some((name) => name === service) && Number(count) >= 1 && Number(count) <= maxConsumerParts,
      )
    )
      return Object.fromEntries(parts.map(([, service, count]) => [service, Number(count)]));
    context.addIssue(`must be services with a number from 1 to ${maxConsumerParts}, such as notifications=4,loyalty=2`);
    return z.NEVER;
  });
