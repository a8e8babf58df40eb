export { findErasure, unknownErasures } from './tables/erasures.ts';
export { eraseCustomer } from './transactions.ts';
