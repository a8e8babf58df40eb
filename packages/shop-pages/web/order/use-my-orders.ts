import { useRead } from '../session/use-read.ts';

export const pageOf = 20;

/** The first page of the customer's own orders, newest first. All users share one read. */
export const useMyOrders = () => useRead('/api/v1/orders/mine', { params: { query: { limit: pageOf } } }, { keep: true });
