export type { ConfirmationContext } from './context.ts';
export { applyIntent, applyProviderState, checkPayment } from './sagas.ts';
