export { confirmProfile, newCustomer } from './rules.ts';
export { checkKnown } from './sagas.ts';
