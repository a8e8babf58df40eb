import type { RequiredService } from '@corner/contracts';

/** An order during which a service dies at one crash point after the other: its process comes back with the next one set. */
export interface CrashedOrder {
  readonly service: RequiredService;
  /** Each at a later step than the one before, so that what a crash leaves to do does not reach the next one too early. */
  readonly points: readonly [string, ...string[]];
  /** Whether no webhook is delivered meanwhile: one that marks the order paid first would leave a point out. */
  readonly withoutWebhooks?: true;
}

/** The walk: a crash point of each saga of an order. */
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
  // Alone: what a consumer reads after a crash it acknowledges elsewhere.
  { service: 'loyalty', points: ['consumer.before-ack'] },
];

/** The crash points of a cancellation; the walk takes the first. */
export const cancelCrashes = ['orders.cancel.after-reserve', 'orders.cancel.after-begin', 'orders.cancel.after-end'] as const;

/** The crash point of a message's delivery, which tests of the queue's messages reach. */
export const deliveryCrash = 'notifications.delivery.after-send';

/** The crash point of a webhook’s delivery, which a test of notifications reaches. */
export const webhookCrash = 'notifications.webhook.after-send';
