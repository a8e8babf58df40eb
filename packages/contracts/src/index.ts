import * as directoryEvents from './directory/events.ts';
import type { EventContract } from './event.ts';
import * as loyaltyEvents from './loyalty/events.ts';
import * as loyalty from './loyalty/operations.ts';
import * as loyaltyRpcs from './loyalty/rpcs.ts';
import * as notificationsEvents from './notifications/events.ts';
import * as notifications from './notifications/operations.ts';
import * as notificationsRpcs from './notifications/rpcs.ts';
import type { AnyOperation } from './operation.ts';
import * as ordersEvents from './orders/events.ts';
import * as orders from './orders/operations.ts';
import * as ordersRpcs from './orders/rpcs.ts';
import * as queueEvents from './queue/events.ts';
import * as queue from './queue/operations.ts';
import * as queueRpcs from './queue/rpcs.ts';
import type { AnyRpc } from './rpc.ts';
import type { ServiceName } from './vocabulary.ts';

export * from './access.ts';
export * from './currencies.ts';
export * from './directory/events.ts';
export * from './directory/file.ts';
export * from './directory/index.ts';
export * from './event.ts';
export * from './loyalty/events.ts';
export * from './loyalty/rpcs.ts';
export * from './loyalty/shapes.ts';
export * from './notifications/events.ts';
export * from './notifications/rpcs.ts';
export * from './notifications/shapes.ts';
export * from './numbers.ts';
export * from './operation.ts';
export * from './operator.ts';
export * from './operator-views.ts';
export * from './orders/events.ts';
export * from './orders/rpcs.ts';
export * from './orders/shapes.ts';
export * from './problems.ts';
export * from './processed.ts';
export * from './queue/events.ts';
export * from './queue/rpcs.ts';
export * from './queue/shapes.ts';
export * from './rpc.ts';
export * from './vocabulary.ts';
export { loyalty, notifications, orders, queue };

/** What each service contracts. The compiler names a service of the vocabulary that is missing here. */
const contracts: Readonly<Record<ServiceName, ServiceContracts>> = {
  orders: { operations: orders, events: ordersEvents, rpcs: ordersRpcs },
  loyalty: { operations: loyalty, events: loyaltyEvents, rpcs: loyaltyRpcs },
  queue: { operations: queue, events: queueEvents, rpcs: queueRpcs },
  notifications: { operations: notifications, events: notificationsEvents, rpcs: notificationsRpcs },
};

interface ServiceContracts {
  readonly operations: Readonly<Record<string, AnyOperation>>;
  readonly events: Readonly<Record<string, unknown>>;
  readonly rpcs?: Readonly<Record<string, AnyRpc>>;
}

/** Every operation of the public interface. */
export const operations: readonly AnyOperation[] = Object.values(contracts).flatMap((service) => Object.values(service.operations));

const isEvent = (value: unknown): value is EventContract => typeof value === 'object' && value !== null && 'producers' in value;

/** Every event that the services and the directory publish. */
export const events: readonly EventContract[] = [...Object.values(contracts).map((service) => service.events), directoryEvents].flatMap(
  (module) => Object.values(module).filter(isEvent),
);

/** Every RPC between services, except those that each service serves alike (operator.ts, processed.ts). */
export const rpcs: readonly AnyRpc[] = Object.values(contracts).flatMap((service) => Object.values(service.rpcs ?? {}));
