export { lookAtAccount } from './sagas.ts';
export { findStoreAccounts } from './tables.ts';
