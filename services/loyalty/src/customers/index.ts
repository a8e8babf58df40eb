export { type LookUp, readLookUp } from './rules.ts';
export { matchingCustomersSql } from './tables.ts';
