export { lookAtAccount } from './sagas.ts';
export { findAccountOfStore, isOwnAccount } from './tables.ts';
