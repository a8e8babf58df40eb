interface EventOrder {
  readonly id: string;
  readonly version: number;
  readonly order_number: string;
  readonly store_id: string;
  readonly customer_id: string;
  readonly without_customer: boolean;
}

export const orderFields = ({ id, order_number, store_id, customer_id, without_customer }: Omit<EventOrder, 'version'>) => ({
  order_id: id,
  order_number,
  store_id,
  customer_id,
  ...(without_customer ? { without_customer } : {}),
});

/** Returns the aggregate and sequence of an event, for an order as it is after the change. */
export const currentVersionOf = ({ id, version, store_id, customer_id, without_customer }: Omit<EventOrder, 'order_number'>) => ({
  aggregateId: id,
  sequence: version,
  storeId: store_id,
  ...(without_customer ? {} : { customerId: customer_id }),
});

/** Returns the aggregate and sequence of an event, for an order as it was before the change, which increments the version. */
export const nextVersionOf = (order: EventOrder) => currentVersionOf({ ...order, version: order.version + 1 });
