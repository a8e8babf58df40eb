import type { ServiceName } from '@corner/contracts';
import type { Step } from './story.ts';

/** A named place where a process may die, and the step of the story that passes it first. */
export interface CrashPoint {
  readonly service: ServiceName;
  readonly point: string;
  readonly at: Step;
}

/** Every crash point in the code. A feature without its row here is not done. */
export const crashPoints: readonly CrashPoint[] = [
  { service: 'orders', point: 'orders.create.after-voucher', at: 'create' },
  { service: 'orders', point: 'orders.create.after-holds', at: 'create' },
  { service: 'orders', point: 'orders.create.after-intent', at: 'create' },
  { service: 'orders', point: 'orders.create.before-answer', at: 'create' },
  { service: 'orders', point: 'orders.webhook.after-record', at: 'pay' },
  { service: 'orders', point: 'orders.confirm.after-retrieve', at: 'confirm' },
  { service: 'orders', point: 'orders.confirm.after-paid', at: 'confirm' },
  { service: 'orders', point: 'orders.refund.after-reserve', at: 'refund' },
  { service: 'orders', point: 'orders.refund.after-provider', at: 'refund' },
  { service: 'orders', point: 'orders.refund.before-answer', at: 'refund' },
  { service: 'orders', point: 'relay.after-batch', at: 'confirm' },
  { service: 'orders', point: 'relay.mid-batch', at: 'confirm' },
  { service: 'orders', point: 'relay.before-ack', at: 'confirm' },
  { service: 'loyalty', point: 'loyalty.award.before-answer', at: 'confirm' },
  { service: 'loyalty', point: 'consumer.before-ack', at: 'confirm' },
];
