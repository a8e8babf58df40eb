export type { DisputesContext } from './context.ts';
export { applyDisputes, recordFailedPayment } from './sagas.ts';
export { findDisputes } from './tables.ts';
