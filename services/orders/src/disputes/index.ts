export { settleDisputes } from './sagas.ts';
export { findDisputes } from './tables.ts';
