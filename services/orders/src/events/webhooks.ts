import { crashPoint, type Webhook } from '@corner/chassis';
import { isOfOtherMode } from '../provider/rules.ts';
import type { EventsContext } from './context.ts';
import { isPaymentEvent } from './rules.ts';
import { processProviderEvent } from './sagas.ts';
import { type ProviderEventRow, receivePaymentEvent, recordProviderEvent } from './tables.ts';

const received = { status: 200, body: { received: true } } as const;

/**
 * Receives the payment provider's events: verifies the signature over the raw body, stores the event, and processes it after the response.
 * An event that changes nothing here is acknowledged too, so that the provider does not resend it.
 */
export const stripeWebhook: Webhook<EventsContext> = {
  path: '/webhooks/stripe',
  async run({ body, header }, context) {
    const verified = context.webhookVerifier.verify(body, header('stripe-signature'), context.now());
    if (!verified) return received;
    if (isOfOtherMode(verified.mode, context.mode)) {
      context.log.warn({ type: verified.type, mode: verified.mode }, 'a provider event of the other mode is ignored');
      return received;
    }
    const event = { id: verified.id, type: verified.type, object_id: verified.objectId };
    const processLater = await receive(event, context);
    crashPoint('orders.webhook.after-record');
    // Not awaited: the response only confirms that the event is stored. A job processes events that fail here.
    if (processLater) {
      setImmediate(() => {
        processLater().catch((error: unknown) =>
          context.log.warn({ err: error }, 'a provider event is left to the job that processes provider events'),
        );
      });
    }
    return received;
  },
};

async function receive(event: ProviderEventRow, context: EventsContext): Promise<(() => Promise<void>) | null> {
  if (!isPaymentEvent(event.type)) {
    return (await recordProviderEvent(context.database, event, context.now())) ? () => processProviderEvent(context, event) : null;
  }
  const order = await receivePaymentEvent(context.database, event, context.now());
  return order && (() => processProviderEvent(context, event, order));
}
