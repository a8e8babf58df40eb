export { requestOf } from './rules/basket.ts';
export { soldBefore, soldOffline } from './rules/offline.ts';
export { placeBasket } from './sagas/place-basket.ts';
export { findOrderToPrepare } from './tables/checkout-data.ts';
export type { HandOver } from './transactions.ts';
