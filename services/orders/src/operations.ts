import type { OperationsOf } from '@corner/chassis';
import type { orders } from '@corner/contracts';
import type { Context } from './context.ts';
import { advanceFulfilment } from './operations/advance-fulfilment.ts';
import { collectEarlier } from './operations/collect-earlier.ts';
import { confirmOrder } from './operations/confirm-order.ts';
import { createOrder } from './operations/create-order.ts';
import { getOrder } from './operations/get-order.ts';
import { listOrders } from './operations/list-orders.ts';
import { notifyDelay } from './operations/notify-delay.ts';
import { orderLog } from './operations/order-log.ts';
import { refundOrder } from './operations/refund-order.ts';
import { setBusinessStatus } from './operations/set-business-status.ts';

/** Every operation of orders. */
export const operations: OperationsOf<typeof orders, Context> = {
  listOrders,
  createOrder,
  getOrder,
  advanceFulfilment,
  orderLog,
  notifyDelay,
  refundOrder,
  setBusinessStatus,
  collectEarlier,
  confirmOrder,
};
