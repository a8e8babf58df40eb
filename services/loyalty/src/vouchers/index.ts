export { expireVoucher } from './transactions.ts';
