import { maxConsumerParts, type ServiceName, services } from '@corner/contracts';
import { z } from 'zod';

/** For how many parts of its events a service has consumers; 1 for a service that is not named. */
export type ConsumerParts = Readonly<Partial<Record<ServiceName, number>>>;

/** The name of the durable consumer of a part, from 0 on. The first is the service's own, so that one part needs nothing new. */
export const consumerNameOf = (service: ServiceName, part: number): string => (part === 0 ? service : `${service}_${part + 1}`);

/** The names of a service's consumers of one stream. */
export const consumersOf = (service: ServiceName, parts: ConsumerParts): string[] =>
  Array.from({ length: parts[service] ?? 1 }, (_, part) => consumerNameOf(service, part));

/** Parses `notifications=4,loyalty=2`. */
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
