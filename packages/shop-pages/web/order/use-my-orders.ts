import { useRead } from '../session/use-read.ts';

export const pageOf = 20;

export const useMyOrders = () => useRead('/api/v1/orders/mine', { params: { query: { limit: pageOf } } }, { keep: true });
