export { recordDifference } from './tables.ts';
