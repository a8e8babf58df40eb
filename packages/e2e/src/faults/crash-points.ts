import type { RequiredService } from '@corner/contracts';

/** An order during which a service dies at one crash point after another; each restart sets the next point. */
export interface CrashedOrder {
  readonly service: RequiredService;
  /** In order of the saga's steps, so that recovery from one crash does not reach the next point early. */
  readonly points: readonly [string, ...string[]];
  /** Whether webhooks are held back. A webhook that marks the order paid first would skip a point. */
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

/** The other crash points of an order. A point of the relay comes last, since any event may reach it. */
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

/** Reached by tests of the queue's messages. */
export const deliveryCrash = 'notifications.delivery.after-send';

/** Reached by a test of notifications. */
export const webhookCrash = 'notifications.webhook.after-send';
