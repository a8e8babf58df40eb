export type { Statement } from './books.ts';
export { registerAccounts } from './control-endpoints.ts';
export type { PaymentControls } from './controls.ts';
export type { Retry } from './deliveries.ts';
export type { Fault, FaultKind } from './faults.ts';
export { paymentsOf } from './from-environment.ts';
export { type PaymentsOptions, type RunningPayments, startPayments } from './start-payments.ts';
export type { FlushOrder, Travel } from './travel.ts';
export type { WebhookEndpoint } from './webhook-endpoint.ts';
