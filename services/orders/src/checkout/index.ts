export type { CheckoutContext } from './context.ts';
export { requestOf } from './rules/basket.ts';
export { soldBefore, soldOffline } from './rules/offline.ts';
export { placeBasket } from './sagas/place-basket.ts';
export { findOrderToPrepare } from './tables/placed-orders.ts';
export type { HandOver } from './transactions.ts';
