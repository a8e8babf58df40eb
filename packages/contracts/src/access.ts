import { customerDataRead } from './data-access.ts';
import * as directory from './directory/events.ts';
import { readInvitation } from './directory/rpcs.ts';
import { erasingServices, exportCustomerOf, readErasureAt } from './erasure.ts';
import type { EventContract } from './event.ts';
import * as loyalty from './loyalty/events.ts';
import {
  awardOrder,
  findCustomer,
  knowsCustomer,
  readLastVisits,
  readOrderStamps,
  releaseVoucher,
  reserveVoucher,
  voucherDetails,
} from './loyalty/rpcs.ts';
import { customerSeen } from './notifications/events.ts';
import { marketingAsk, reachCustomer, readOrderMessages } from './notifications/rpcs.ts';
import { eventsRead, numbers } from './numbers.ts';
import * as orders from './orders/events.ts';
import { readReceipt } from './orders/rpcs.ts';
import * as queue from './queue/events.ts';
import { queueGuest } from './queue/rpcs.ts';
import type { AnyRpc } from './rpc.ts';
import { type Producer, type ServiceName, services } from './vocabulary.ts';

/** A service's NATS user may do no more than handle these events and call these RPCs. */
export interface Access {
  readonly consumes: readonly EventContract[];
  readonly calls: readonly AnyRpc[];
}

export const access: Readonly<Record<ServiceName, Access>> = {
  orders: {
    consumes: [
      directory.directoryStore,
      directory.directoryMenu,
      directory.directorySlots,
      directory.directoryCustomer,
      directory.customerErased,
      loyalty.tapPresented,
      queue.depositReturned,
    ],
    calls: [awardOrder, findCustomer, reserveVoucher, releaseVoucher, readOrderStamps, marketingAsk, reachCustomer, readOrderMessages],
  },
  loyalty: {
    consumes: [
      directory.directoryStore,
      directory.directoryProgramme,
      directory.directoryCustomer,
      directory.directoryStaff,
      directory.customerErased,
      orders.orderPaid,
      orders.orderRefunded,
      orders.orderRefundFailed,
      orders.orderCancelled,
      orders.orderExpired,
      orders.orderCustomerBound,
      orders.paymentDisputed,
      queue.queueJoined,
      queue.queueClaimed,
      queue.queueCompleted,
      queue.queueReopened,
      queue.bookingMade,
      queue.bookingDone,
      queue.bookingReopened,
    ],
    calls: [],
  },
  queue: {
    consumes: [
      directory.directoryStore,
      directory.directoryFloor,
      directory.directoryBooking,
      directory.directoryCustomer,
      directory.customerErased,
      orders.depositPaid,
      orders.orderRefunded,
      orders.orderRefundFailed,
    ],
    calls: [],
  },
  notifications: {
    consumes: [
      directory.directoryStore,
      directory.directoryProgramme,
      directory.directoryCustomer,
      directory.staffInvited,
      directory.customerErased,
      customerSeen,
      orders.orderPaid,
      orders.orderFulfilmentChanged,
      orders.orderStatusChanged,
      orders.orderCancelled,
      orders.orderRefunded,
      orders.orderRefundFailed,
      orders.orderRunningLate,
      orders.orderSlotMoved,
      orders.paymentDisputed,
      orders.storeAccountChanged,
      orders.storeOrdersRefused,
      orders.storeSwitched,
      orders.orderExpired,
      orders.orderUncollected,
      loyalty.stampPending,
      loyalty.stampApproved,
      loyalty.stampRejected,
      loyalty.stampUndone,
      loyalty.stampReversed,
      loyalty.multiStampConfirmed,
      loyalty.voucherMinted,
      loyalty.voucherRedeemed,
      loyalty.voucherRestored,
      loyalty.voucherVoided,
      loyalty.voucherExpiring,
      loyalty.voucherExpired,
      loyalty.membershipBegun,
      loyalty.membershipRenewed,
      loyalty.membershipEnding,
      loyalty.membershipEnded,
      queue.queueCalled,
      queue.queueRecalled,
      queue.queueAssigned,
      queue.queueLeft,
      queue.queueNoShow,
      queue.queueCompleted,
      queue.queueConverted,
      queue.queueReopened,
      queue.queueJoined,
      queue.queueClaimed,
      queue.bookingMade,
      queue.bookingConfirmed,
      queue.bookingMoved,
      queue.bookingCancelled,
      queue.bookingArrived,
      queue.bookingDone,
      queue.bookingNoShow,
      queue.bookingReopened,
      queue.waitlistJoined,
      queue.waitlistOffered,
      queue.waitlistLeft,
      queue.sessionChanged,
      queue.sessionCancelled,
    ],
    calls: [readReceipt, voucherDetails, queueGuest, readInvitation],
  },
  directory: {
    consumes: [orders.storeAccountConnected, customerDataRead],
    calls: [...erasingServices.map(readErasureAt), ...erasingServices.map(exportCustomerOf), readLastVisits, knowsCustomer],
  },
};

export const producersFor = (service: ServiceName): readonly Producer[] => [
  ...new Set(access[service].consumes.flatMap(({ producers }) => producers)),
];

/** Returns the RPCs that a service calls: its own, and those by which every consumer reads events by their numbers. */
export const callsOf = (service: ServiceName): readonly AnyRpc[] => [
  ...access[service].calls,
  ...producersFor(service).filter(numbers).map(eventsRead),
];

export const consumersOf = (event: EventContract): readonly ServiceName[] =>
  services.filter((service) => access[service].consumes.includes(event));

export const consumersOfDirectory: readonly ServiceName[] = services.filter((service) => producersFor(service).includes('directory'));
