import { crashPoint, type Webhook } from '@corner/chassis';
import type { Context } from '../context.ts';
import { workProviderEvents } from '../sagas/work-provider-events.ts';
import { recordProviderEvent } from '../tables/provider-events.ts';

/** The payment provider's events: verified over the bytes as they came, recorded, answered, and worked through afterwards. */
export const stripeWebhook: Webhook<Context> = {
  path: '/webhooks/stripe',
  async run({ body, header }, context) {
    const event = context.payments.verifyWebhook(body, header('stripe-signature'), context.now());
    await recordProviderEvent(context.database, event, context.now());
    crashPoint('orders.webhook.after-record');
    // Not waited for: the answer says that it is kept, and the schedule works off whatever this does not.
    setImmediate(
      () =>
        void workProviderEvents(context).catch((error: unknown) =>
          context.log.warn({ err: error }, 'provider events wait for the schedule'),
        ),
    );
    return { status: 200, body: { received: true } };
  },
};
