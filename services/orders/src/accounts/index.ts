export { lookAtAccount } from './sagas.ts';
export { isOwnAccount } from './tables.ts';
