import {
  orderCancelled,
  orderFulfilmentChanged,
  orderPaid,
  orderRefunded,
  orderRefundFailed,
  orderRunningLate,
  orderSlotMoved,
  orderStatusChanged,
} from '@corner/contracts';
import {
  newsOfCancelled,
  newsOfFulfilment,
  newsOfPaid,
  newsOfRefunded,
  newsOfRefundFailed,
  newsOfRunningLate,
  newsOfSlotMoved,
  newsOfStatus,
} from '../messages/rules/content-for-orders.ts';
import { errandOn } from '../messages/transactions/create-message.ts';

/** Whoever ordered hears how the order goes. */
export const errandsOfOrders = {
  tellOrderPaid: errandOn(orderPaid, newsOfPaid),
  tellFulfilmentChanged: errandOn(orderFulfilmentChanged, newsOfFulfilment),
  tellStatusChanged: errandOn(orderStatusChanged, newsOfStatus),
  tellOrderCancelled: errandOn(orderCancelled, newsOfCancelled),
  tellOrderRefunded: errandOn(orderRefunded, newsOfRefunded),
  tellRefundFailed: errandOn(orderRefundFailed, newsOfRefundFailed),
  tellRunningLate: errandOn(orderRunningLate, newsOfRunningLate),
  tellSlotMoved: errandOn(orderSlotMoved, newsOfSlotMoved),
};
