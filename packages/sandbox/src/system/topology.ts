import type { services } from '@corner/contracts';

/** The root of this checkout. */
export const checkout = new URL('../../../../', import.meta.url).pathname.replace(/\/$/, '');

/** The preferred ports. Another one is used where one is taken. */
export const preferredPorts = {
  gateway: 4000,
  orders: 4001,
  loyalty: 4002,
  queue: 4003,
  notifications: 4004,
  nats: 4223,
  payments: 4242,
  issuer: 4243,
  messages: 4244,
  smtp: 4245,
  apns: 4246,
  postgres: 5433,
} as const;

export type PartName = keyof typeof preferredPorts;
export type Ports = Readonly<Record<PartName, number>>;

/** Folder of a process's code. */
export const folderOf = (name: (typeof services)[number] | 'gateway'): string => `${checkout}/services/${name}`;
