import { type ServiceName, services } from '@corner/contracts';

/** The root of this checkout. */
export const checkout = new URL('../../../../', import.meta.url).pathname.replace(/\/$/, '');

const firstServicePort = 4001;

/** The preferred ports, those of the services in the order of the vocabulary. Another one is used where one is taken. */
export const preferredPorts = {
  gateway: 4000,
  ...(Object.fromEntries(services.map((name, n) => [name, firstServicePort + n])) as Record<ServiceName, number>),
  console: firstServicePort + services.length,
  nats: 4223,
  payments: 4242,
  issuer: 4243,
  messages: 4244,
  smtp: 4245,
  apns: 4246,
  postgres: 5433,
} as const;

/** What may run as several replicas. */
export const replicated = [...services, 'gateway'] as const;
export type ReplicatedPart = (typeof replicated)[number];

/** Makes something for each service and the gateway. */
export const ofEach = <T>(make: (part: ReplicatedPart) => T): Readonly<Record<ReplicatedPart, T>> =>
  Object.fromEntries(replicated.map((part) => [part, make(part)])) as Record<ReplicatedPart, T>;

export type PartName = keyof typeof preferredPorts;
export type Ports = Readonly<Record<PartName, number>>;

/** Folder of a process's code. */
export const folderOf = (name: ReplicatedPart | 'console'): string => `${checkout}/services/${name}`;
