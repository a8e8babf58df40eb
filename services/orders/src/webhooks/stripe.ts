import { crashPoint, type Webhook } from '@corner/chassis';
import type { Context } from '../context.ts';
import { workProviderEvent } from '../sagas/work-provider-events.ts';
import { recordProviderEvent } from '../tables/provider-events.ts';

/** The payment provider's events: verified over the bytes as they came, recorded, answered, and worked through afterwards. */
export const stripeWebhook: Webhook<Context> = {
  path: '/webhooks/stripe',
  async run({ body, header }, context) {
    const event = context.payments.verifyWebhook(body, header('stripe-signature'), context.now());
    const isNew = await recordProviderEvent(context.database, event, context.now());
    crashPoint('orders.webhook.after-record');
    // Not waited for: the answer says that it is kept, and the schedule works off whatever this does not.
    if (isNew)
      setImmediate(
        () =>
          void workProviderEvent(context, { id: event.id, type: event.type, object_id: event.objectId }).catch((error: unknown) =>
            context.log.warn({ err: error }, 'a provider event waits for the schedule'),
          ),
      );
    return { status: 200, body: { received: true } };
  },
};
