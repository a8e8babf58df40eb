export { setBusinessStatus } from './transactions/move-order.ts';
