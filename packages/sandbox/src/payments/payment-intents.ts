import { cardOf } from './cards.ts';
import { takeMoney } from './charge.ts';
import { confirmIntent } from './confirm-intent.ts';
import { chargeable } from './currencies.ts';
import { mergeMetadata, oneOf, readParameters } from './parameters.ts';
import { badParameter, noSuch, unexpectedState } from './refusal.ts';
import type { Charge, Intent } from './stripe-shapes.ts';
import { type Call, seconds, type World } from './world.ts';

/** GET /v1/payment_intents/:id. A publishable key needs the client secret and gets only what a customer may see. */
export function retrieveIntent(call: Call, world: World): Partial<Intent> {
  const { client_secret } = readParameters(call.form, { client_secret: 'string', expand: 'any' });
  return seenBy(call, intentOf(call, world, client_secret));
}

/** POST /v1/payment_intents/:id. Fields that decide about money can change only before it is charged. */
export function updateIntent(call: Call, world: World): Intent {
  const given = readParameters(call.form, {
    amount: 'integer',
    application_fee_amount: 'integer',
    currency: 'string',
    description: 'string',
    expand: 'any',
    metadata: 'metadata',
    payment_method: 'string',
    receipt_email: 'string',
    transfer_group: 'string',
  });
  const { metadata, description, expand: _expand, ...money } = given;
  const intent = intentOf(call, world);
  const handleRequest = ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status);
  if (!handleRequest && Object.keys(money).length > 0) {
    throw unexpectedState(
      intent,
      `This PaymentIntent's ${Object.keys(money)[0]} could not be updated because it has a status of ${intent.status}.`,
    );
  }
  if (money.payment_method !== undefined && !cardOf(money.payment_method)) {
    throw noSuch('PaymentMethod', money.payment_method, 'payment_method', 400);
  }
  const currency = chargeable(money.amount ?? intent.amount, money.currency ?? intent.currency);
  const status = money.payment_method === undefined ? intent.status : 'requires_confirmation';
  const changed: Intent = { ...intent, ...money, status, currency, description: description ?? intent.description };
  if ((changed.application_fee_amount ?? 0) > changed.amount) {
    throw badParameter('application_fee_amount', 'The application fee cannot be greater than the amount of the charge.');
  }
  return world.books.put<Intent>({ ...changed, metadata: mergeMetadata(intent.metadata, metadata) });
}

/** POST /v1/payment_intents/:id/confirm, by the platform, or by a customer's device with the client secret. */
export function confirmIntentCall(call: Call, world: World): Partial<Intent> {
  const given = readParameters(call.form, {
    client_secret: 'string',
    expand: 'any',
    mandate_data: 'any',
    off_session: 'any',
    payment_method: 'string',
    payment_method_options: 'any',
    receipt_email: 'any',
    return_url: 'any',
    setup_future_usage: 'any',
    shipping: 'any',
    use_stripe_sdk: 'any',
  });
  const intent = intentOf(call, world, given.client_secret);
  return seenBy(call, confirmIntent(world, intent, given.payment_method));
}

const cancellable: readonly Intent['status'][] = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
];
const reasons = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const;

/** POST /v1/payment_intents/:id/cancel. An authorisation that was not captured is released. */
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
  const charge = intent.status === 'requires_capture' ? chargeOf(intent, world) : undefined;
  if (charge) world.books.put<Charge>({ ...charge, amount_refunded: charge.amount, refunded: true });
  const canceled = world.books.put<Intent>({
    ...intent,
    status: 'canceled',
    amount_capturable: 0,
    canceled_at: seconds(world.now()),
    cancellation_reason: reason,
    next_action: null,
  });
  world.publish('payment_intent.canceled', canceled);
  return canceled;
}

/** POST /v1/payment_intents/:id/capture. Part of the authorised amount may be captured; the rest is released. */
export function captureIntent(call: Call, world: World): Intent {
  const given = readParameters(call.form, {
    amount_to_capture: 'integer',
    application_fee_amount: 'integer',
    expand: 'any',
    metadata: 'metadata',
    transfer_data: 'any',
  });
  const intent = intentOf(call, world);
  const charge = chargeOf(intent, world);
  if (intent.status !== 'requires_capture' || !charge) {
    throw unexpectedState(
      intent,
      `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
    );
  }
  const amount = given.amount_to_capture ?? intent.amount_capturable;
  if (amount < 1 || amount > intent.amount_capturable) {
    throw badParameter(
      'amount_to_capture',
      'The amount to capture must be at least 1 and no more than the capturable amount.',
      'amount_too_large',
    );
  }
  const fee = given.application_fee_amount ?? intent.application_fee_amount ?? 0;
  if (fee > amount) throw badParameter('application_fee_amount', 'The application fee cannot be greater than the amount of the charge.');
  const taken = takeMoney(world, charge, amount, fee);
  const captured = world.books.put<Intent>({
    ...intent,
    status: 'succeeded',
    amount_capturable: 0,
    amount_received: amount,
    application_fee_amount: intent.application_fee_amount === null ? null : fee,
    metadata: mergeMetadata(intent.metadata, given.metadata),
  });
  world.publish('charge.captured', taken);
  world.publish('payment_intent.succeeded', captured);
  return captured;
}

function intentOf(call: Call, world: World, clientSecret?: string): Intent {
  const id = call.ids[0] ?? '';
  const intent = world.books.get('payment_intent', id);
  // A wrong secret gets the same response as a wrong id, so that neither can be guessed.
  const mayKnow = clientSecret === undefined ? call.key === 'secret' : clientSecret === intent?.client_secret;
  if (!intent || !mayKnow) throw noSuch('payment_intent', id, 'intent');
  return intent;
}

const chargeOf = (intent: Intent, { books }: World): Charge | undefined =>
  intent.latest_charge === null ? undefined : books.get('charge', intent.latest_charge);

/** Hides from a customer's device the platform's fee, its metadata, and the destination. */
function seenBy(call: Call, intent: Intent): Partial<Intent> {
  if (call.key === 'secret') return intent;
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
