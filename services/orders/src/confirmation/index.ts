export { applyIntent, applyProviderState, checkPayment } from './sagas.ts';
