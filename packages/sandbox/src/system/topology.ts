import { type OptionalService, optionalServices, type RequiredService, requiredServices, services } from '@corner/contracts';
import { fileOf } from '@corner/programs';

export const checkout = new URL('../../../../', import.meta.url).pathname.replace(/\/$/, '');

const firstServicePort = 4001;
const consolePort = firstServicePort + requiredServices.length;

export const preferredPorts = {
  gateway: 4000,
  ...(Object.fromEntries(requiredServices.map((name, n) => [name, firstServicePort + n])) as Record<RequiredService, number>),
  console: consolePort,
  ...(Object.fromEntries(optionalServices.map((name, n) => [name, consolePort + 1 + n])) as Record<OptionalService, number>),
  shop: consolePort + 1 + optionalServices.length,
  nats: 4223,
  payments: 4242,
  issuer: 4243,
  messages: 4244,
  smtp: 4245,
  apns: 4246,
  postgres: 5433,
} as const;

export const replicated = [...services, 'gateway'] as const;
export type ReplicatedPart = (typeof replicated)[number];

export const ofEach = <T>(make: (part: ReplicatedPart) => T): Readonly<Record<ReplicatedPart, T>> =>
  Object.fromEntries(replicated.map((part) => [part, make(part)])) as Record<ReplicatedPart, T>;

export type OfRunning<T> = Readonly<Record<RequiredService | 'gateway', T> & Partial<Record<OptionalService, T>>>;

export type PartName = keyof typeof preferredPorts;
export type Ports = Readonly<Record<PartName, number>>;

export const programFile = (source: string, { fromSource }: { readonly fromSource: boolean }): string =>
  `${checkout}/${fromSource ? source : fileOf(source)}`;

export const folderOf = (name: ReplicatedPart | 'console'): string => `${checkout}/services/${name}`;

export const watchedParts = ['postgres', 'nats', 'payments', 'messages', 'services', 'gateway', 'console', 'shop', 'demo'] as const;
export type WatchedPart = (typeof watchedParts)[number];

export interface PartProgress {
  readonly part: WatchedPart;
  readonly done: boolean;
  readonly version?: string;
  readonly where?: string;
  readonly detail: string;
  readonly ms?: number;
}

export type Report = (progress: PartProgress) => void;
