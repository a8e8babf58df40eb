import { confirmIntent } from './confirm-intent.ts';
import { oneOf, readParameters } from './parameters.ts';
import { noSuch, unexpectedState } from './refusal.ts';
import type { Intent } from './stripe-shapes.ts';
import { type Call, seconds, type World } from './world.ts';

export function retrieveIntent(call: Call, world: World): Partial<Intent> {
  const { client_secret } = readParameters(call.form, { client_secret: 'string', expand: 'any' });
  return seenBy(call, intentOf(call, world, client_secret));
}

export function confirmIntentCall(call: Call, world: World): Partial<Intent> {
  const given = readParameters(call.form, {
    client_secret: 'string',
    expand: 'any',
    mandate_data: 'any',
    off_session: 'any',
    payment_method: 'string',
    payment_method_options: 'any',
    receipt_email: 'any',
    return_url: 'string',
    setup_future_usage: 'any',
    shipping: 'any',
    use_stripe_sdk: 'any',
  });
  const intent = intentOf(call, world, given.client_secret);
  return seenBy(call, confirmIntent(world, intent, given.payment_method, { origin: call.origin, returnUrl: given.return_url }));
}

const cancellable: readonly Intent['status'][] = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
const reasons = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const;

export function cancelIntent(call: Call, world: World): Intent {
  const given = readParameters(call.form, { cancellation_reason: 'string', expand: 'any' });
  const reason = given.cancellation_reason === undefined ? null : oneOf(reasons, given.cancellation_reason, 'cancellation_reason');
  const intent = intentOf(call, world);
  if (!cancellable.includes(intent.status)) {
    throw unexpectedState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${cancellable.join(', ')}, processing.`,
    );
  }
  const canceled = world.books.put<Intent>({
    ...intent,
    status: 'canceled',
    canceled_at: seconds(world.now()),
    cancellation_reason: reason,
    next_action: null,
  });
  world.publish('payment_intent.canceled', canceled);
  return canceled;
}

function intentOf(call: Call, world: World, clientSecret?: string): Intent {
  const id = call.ids[0] ?? '';
  const intent = world.books.get('payment_intent', id);
  // A wrong secret gets the same response as a wrong id, so that neither can be guessed.
  const mayKnow = clientSecret === undefined ? call.key === 'secret' : clientSecret === intent?.client_secret;
  if (!intent || !mayKnow) throw noSuch('payment_intent', id, 'intent');
  return intent;
}

const seenBy = (call: Call, intent: Intent): Partial<Intent> => (call.key === 'secret' ? intent : seenByDevice(intent));

/** The platform's fee, its metadata, and the destination are hidden from a device. */
export function seenByDevice(intent: Intent): Partial<Intent> {
  const {
    application_fee_amount: _fee,
    customer: _customer,
    metadata: _notes,
    on_behalf_of: _owner,
    transfer_data: _to,
    transfer_group: _group,
    latest_charge: _charge,
    ...seen
  } = intent;
  return seen;
}
