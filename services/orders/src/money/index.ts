export { recordDifference, storeEntriesSql } from './tables.ts';
