export { requestOf } from './rules/basket.ts';
export { placeBasket } from './sagas/place-basket.ts';
export { findOrderToPrepare } from './tables/checkout-data.ts';
