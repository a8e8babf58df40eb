import * as directoryEvents from './directory/events.ts';
import * as directory from './directory/operations.ts';
import * as directoryRpcs from './directory/rpcs.ts';
import { erasingServices, exportCustomerOf, readErasureAt } from './erasure.ts';
import type { EventContract } from './event.ts';
import * as loyaltyEvents from './loyalty/events.ts';
import * as loyalty from './loyalty/operations.ts';
import * as loyaltyRpcs from './loyalty/rpcs.ts';
import * as notificationsEvents from './notifications/events.ts';
import * as notifications from './notifications/operations.ts';
import * as notificationsRpcs from './notifications/rpcs.ts';
import { eventsRead } from './numbers.ts';
import type { AnyOperation } from './operation.ts';
import { operatorRpcsOfEach } from './operator.ts';
import { dayOfMoney, listMessages } from './operator-views.ts';
import * as ordersEvents from './orders/events.ts';
import * as orders from './orders/operations.ts';
import * as ordersRpcs from './orders/rpcs.ts';
import { processedBy } from './processed.ts';
import * as queueEvents from './queue/events.ts';
import * as queue from './queue/operations.ts';
import * as queueRpcs from './queue/rpcs.ts';
import type { AnyRpc } from './rpc.ts';
import type { ServiceName } from './vocabulary.ts';

export * from './access.ts';
export * from './csv.ts';
export * from './currencies.ts';
export * from './data-access.ts';
export * from './deprecation.ts';
export * from './directory/entries.ts';
export * from './directory/events.ts';
export * from './directory/file.ts';
export * from './directory/index.ts';
export * from './directory/rpcs.ts';
export * from './directory/shapes.ts';
export * from './directory/store-fields.ts';
export * from './erasure.ts';
export * from './event.ts';
export * from './gateway.ts';
export * from './html.ts';
export * from './loyalty/events.ts';
export * from './loyalty/opening-balances.ts';
export * from './loyalty/rpcs.ts';
export * from './loyalty/shapes.ts';
export { campaignsInMonth } from './notifications/campaign-operations.ts';
export * from './notifications/events.ts';
export * from './notifications/public-events.ts';
export * from './notifications/rpcs.ts';
export * from './notifications/shapes.ts';
export * from './notifications/switches.ts';
export { deliveryStates, longestDigest, webhookStates } from './notifications/webhook-operations.ts';
export * from './numbers.ts';
export * from './oauth-error.ts';
export * from './operation.ts';
export * from './operation-index.ts';
export * from './operator.ts';
export * from './operator-views.ts';
export * from './orders/book.ts';
export * from './orders/events.ts';
export * from './orders/printers.ts';
export * from './orders/report.ts';
export * from './orders/rpcs.ts';
export * from './orders/shapes.ts';
export * from './orders/story.ts';
export * from './orders/switches.ts';
export * from './orders/tenders.ts';
export * from './orders/tips.ts';
export * from './outside-links.ts';
export * from './problems.ts';
export * from './processed.ts';
export * from './queue/booking-shapes.ts';
export * from './queue/events.ts';
export * from './queue/rpcs.ts';
export * from './queue/shapes.ts';
export * from './rpc.ts';
export * from './split.ts';
export * from './typed/index.ts';
export * from './typed/names.ts';
export * from './typed/phone-numbers.ts';
export * from './vocabulary.ts';
export { directory, loyalty, notifications, orders, queue };

/** The compiler names a service of the vocabulary that is missing here. */
const contracts: Readonly<Record<ServiceName, ServiceContracts>> = {
  orders: { operations: orders, events: ordersEvents, rpcs: ordersRpcs },
  loyalty: { operations: loyalty, events: loyaltyEvents, rpcs: loyaltyRpcs },
  queue: { operations: queue, events: queueEvents, rpcs: queueRpcs },
  notifications: { operations: notifications, events: notificationsEvents, rpcs: notificationsRpcs },
  directory: { operations: directory, events: directoryEvents, rpcs: directoryRpcs },
};

interface ServiceContracts {
  readonly operations: Readonly<Record<string, AnyOperation>>;
  readonly events: Readonly<Record<string, unknown>>;
  readonly rpcs?: Readonly<Record<string, AnyRpc>>;
}

export const operations: readonly AnyOperation[] = Object.values(contracts).flatMap((service) => Object.values(service.operations));

const isEvent = (value: unknown): value is EventContract => typeof value === 'object' && value !== null && 'producers' in value;

export const events: readonly EventContract[] = Object.values(contracts).flatMap((service) =>
  Object.values(service.events).filter(isEvent),
);

/** Excludes the RPCs that every service serves (erasure.ts, operator.ts, processed.ts). */
export const rpcs: readonly AnyRpc[] = Object.values(contracts).flatMap((service) => Object.values(service.rpcs ?? {}));

export const rpcsOf = (service: ServiceName): readonly AnyRpc[] => [
  ...[...rpcs, dayOfMoney, listMessages].filter((rpc) => rpc.service === service),
  eventsRead(service),
  processedBy(service),
  ...erasingServices.filter((name) => name === service).flatMap((name) => [readErasureAt(name), exportCustomerOf(name)]),
  ...operatorRpcsOfEach(service),
];
