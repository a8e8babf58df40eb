import { useRead } from '../session/use-read.ts';

/** Orders of one page of the list. */
export const pageOf = 20;

/** The customer's own orders, newest first, as far as one page goes. All who use it share one read. */
export const useMyOrders = () => useRead('/api/v1/orders/mine', { params: { query: { limit: pageOf } } }, { keep: true });
