import { crashPoint, type Webhook } from '@corner/chassis';
import type { Context } from '../context.ts';
import { processProviderEvent } from '../sagas/process-provider-event.ts';
import { recordProviderEvent } from '../tables/provider-events.ts';

const received = { status: 200, body: { received: true } } as const;

/**
 * Receives the payment provider's events: verifies the signature over the raw body, stores the event, and processes it after the
 * response. An event that is none of ours is acknowledged and ignored, so that the provider does not send it again.
 */
export const stripeWebhook: Webhook<Context> = {
  path: '/webhooks/stripe',
  async run({ body, header }, context) {
    const verified = context.webhookVerifier.verify(body, header('stripe-signature'), context.now());
    if (!verified) return received;
    const { id, type, objectId } = verified;
    const event = { id, type, object_id: objectId };
    const isNew = await recordProviderEvent(context.database, event, context.now());
    crashPoint('orders.webhook.after-record');
    // Not awaited: the response only confirms that the event is stored. The job processes whatever fails here.
    if (isNew) {
      setImmediate(() => {
        processProviderEvent(context, event).catch((error: unknown) =>
          context.log.warn({ err: error }, 'a provider event is left to the job that processes provider events'),
        );
      });
    }
    return received;
  },
};
