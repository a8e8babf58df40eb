export { applyDisputes, recordFailedPayment } from './sagas.ts';
export { findDisputes } from './tables.ts';
