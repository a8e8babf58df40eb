export type { AccountsContext } from './context.ts';
export { lookAtAccount } from './sagas.ts';
export { findAccountOfStore, isOwnAccount } from './tables.ts';
