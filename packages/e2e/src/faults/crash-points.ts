import type { ServiceName } from '@corner/contracts';
import type { Step } from '../testing/order-scenario.ts';

/** A named place in the code where a test can make the process die, and the first step of the order scenario that reaches it. */
export interface CrashPoint {
  readonly service: ServiceName;
  readonly point: string;
  readonly at: Step;
  /** Whether no webhook is delivered meanwhile: one that marks the order paid first would leave the point out. */
  readonly withoutWebhooks?: true;
}

/** Every crash point in the code. A new crash point needs a row here, or no test covers it. */
export const crashPoints: readonly CrashPoint[] = [
  { service: 'orders', point: 'orders.create.after-voucher', at: 'create' },
  { service: 'orders', point: 'orders.create.after-holds', at: 'create' },
  { service: 'orders', point: 'orders.create.after-intent', at: 'create' },
  { service: 'orders', point: 'orders.create.before-response', at: 'create' },
  { service: 'orders', point: 'orders.webhook.after-record', at: 'pay' },
  { service: 'orders', point: 'orders.payment.after-retrieve', at: 'confirm', withoutWebhooks: true },
  { service: 'orders', point: 'orders.confirm.after-paid', at: 'confirm' },
  { service: 'orders', point: 'orders.refund.after-reserve', at: 'refund' },
  { service: 'orders', point: 'orders.refund.after-provider', at: 'refund' },
  { service: 'orders', point: 'orders.refund.before-response', at: 'refund' },
  { service: 'orders', point: 'relay.after-batch', at: 'confirm' },
  { service: 'orders', point: 'relay.mid-batch', at: 'confirm' },
  { service: 'orders', point: 'relay.before-ack', at: 'confirm' },
  { service: 'loyalty', point: 'loyalty.award.before-response', at: 'confirm' },
  { service: 'loyalty', point: 'consumer.before-ack', at: 'confirm' },
];
