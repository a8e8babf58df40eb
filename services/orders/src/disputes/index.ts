export { applyDisputes } from './sagas.ts';
export { findDisputes } from './tables.ts';
