import type { RequiredService } from '@corner/contracts';

export interface CrashedOrder {
  readonly service: RequiredService;
  /** In order of the saga's steps, so that recovery from one crash does not reach the next point early. */
  readonly points: readonly [string, ...string[]];
  /** A webhook that marks the order paid first would skip a point. */
  readonly withoutWebhooks?: true;
}

export const walkedCrashes: readonly CrashedOrder[] = [
  {
    service: 'orders',
    points: ['orders.create.after-holds', 'orders.payment.after-retrieve', 'orders.refund.after-provider'],
    withoutWebhooks: true,
  },
  { service: 'loyalty', points: ['loyalty.award.before-response'] },
];

/** A point of the relay comes last, since any event may reach it. */
export const otherCrashes: readonly CrashedOrder[] = [
  { service: 'orders', points: ['orders.create.after-voucher', 'orders.webhook.after-record', 'orders.refund.after-reserve'] },
  { service: 'orders', points: ['orders.create.after-intent', 'orders.confirm.after-paid', 'orders.refund.before-response'] },
  { service: 'orders', points: ['orders.create.before-response', 'relay.after-batch'] },
  { service: 'orders', points: ['relay.mid-batch'] },
  { service: 'orders', points: ['relay.before-ack'] },
  // Alone: after a crash the consumer acknowledges the event elsewhere.
  { service: 'loyalty', points: ['consumer.before-ack'] },
];

export const cancelCrashes = ['orders.cancel.after-reserve', 'orders.cancel.after-begin', 'orders.cancel.after-end'] as const;

export const deliveryCrash = 'notifications.delivery.after-send';

export const webhookCrash = 'notifications.webhook.after-send';
