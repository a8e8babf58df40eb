import { needAccount } from './accounts.ts';
import { recordBalance } from './balance.ts';
import { type Card, cardOf, type Decline } from './cards.ts';
import { recordCharge } from './charge.ts';
import { openDispute } from './disputes.ts';
import { badParameter, noSuch, StripeRefusal, unexpectedState } from './refusal.ts';
import type { Charge, Intent } from './stripe-shapes.ts';
import type { World } from './world.ts';

const confirmable: readonly Intent['status'][] = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

interface Place {
  readonly origin: string;
  readonly returnUrl?: string | undefined;
}

/** Throws a 402 after a decline was recorded: the intent waits for another payment method. */
export function confirmIntent(world: World, intent: Intent, paymentMethod: string | undefined, place: Place): Intent {
  if (intent.status === 'succeeded') {
    throw unexpectedState(
      intent,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    );
  }
  if (!confirmable.includes(intent.status)) {
    throw unexpectedState(
      intent,
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.`,
    );
  }
  const method = paymentMethod ?? intent.payment_method ?? undefined;
  if (method === undefined) {
    throw unexpectedState(
      intent,
      'You cannot confirm this PaymentIntent because it is missing a payment method. Update it with a payment method, or give one while confirming.',
    );
  }
  const card = cardOf(method);
  if (!card) throw noSuch('PaymentMethod', method, 'payment_method', 400);

  if (intent.transfer_data) needAccount(world, intent.transfer_data.destination, 'transfer_data[destination]');

  const attempted: Intent = { ...intent, payment_method: method, last_payment_error: null, next_action: null };
  if (card.charge === 'processes') return startProcessing(world, attempted);
  if (card.charge === 'asks') return askCustomer(world, attempted, place);
  if (card.charge === 'succeeds') return succeed(world, attempted, card);
  return refuse(world, attempted, card, card.charge);
}

export function settleIntent(world: World, id: string, outcome: 'succeeded' | 'failed'): Intent {
  const intent = world.books.get('payment_intent', id);
  if (!intent) throw noSuch('payment_intent', id, 'intent');
  if (intent.status !== 'processing' && intent.status !== 'requires_action') {
    throw unexpectedState(intent, `There is nothing left to settle: the status is ${intent.status}.`);
  }
  const card = cardOf(intent.payment_method ?? '');
  if (!card) throw badParameter('payment_method', 'The intent holds no payment method.');
  const waited: Intent = { ...intent, next_action: null, processing: null };
  if (outcome === 'failed' && intent.status === 'requires_action') return failAuthentication(world, waited);
  return outcome === 'succeeded' ? succeed(world, waited, card) : markRefused(world, waited, card, slowDecline);
}

export function failLate(world: World, id: string): Intent {
  const intent = world.books.get('payment_intent', id);
  const charge = world.books.get('charge', intent?.latest_charge ?? '');
  if (!intent || charge?.status !== 'succeeded') throw noSuch('payment_intent', id, 'intent');
  const { amount, currency } = charge;
  recordBalance(world, { type: 'payment_failure_refund', source: charge.id, amount: -amount, currency });
  const failed = world.books.put<Charge>({
    ...charge,
    captured: false,
    failure_code: slowDecline.code,
    failure_message: slowDecline.message,
    paid: false,
    status: 'failed',
  });
  const waiting = world.books.put<Intent>({ ...intent, amount_received: 0, payment_method: null, status: 'requires_payment_method' });
  world.publish('charge.failed', failed);
  world.publish('payment_intent.payment_failed', waiting);
  return waiting;
}

const slowDecline: Decline = { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' };

function startProcessing(world: World, attempted: Intent): Intent {
  const intent = world.books.put<Intent>({ ...attempted, status: 'processing' });
  world.publish('payment_intent.processing', intent);
  settleInTime(world, intent);
  return intent;
}

export function settleInTime(world: World, { id }: Intent): void {
  world.later(() => {
    if (world.books.get('payment_intent', id)?.status === 'processing') settleIntent(world, id, 'succeeded');
  });
}

function askCustomer(world: World, attempted: Intent, { origin, returnUrl }: Place): Intent {
  const url = `${origin}/authenticate/${attempted.id}?client_secret=${attempted.client_secret}`;
  const intent = world.books.put<Intent>({
    ...attempted,
    status: 'requires_action',
    next_action:
      returnUrl === undefined
        ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
        : { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } },
  });
  world.publish('payment_intent.requires_action', intent);
  return intent;
}

function failAuthentication(world: World, waited: Intent): Intent {
  const intent = world.books.put<Intent>({
    ...waited,
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: {
      code: 'payment_intent_authentication_failure',
      message:
        'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
      type: 'invalid_request_error',
    },
  });
  world.publish('payment_intent.payment_failed', intent);
  return intent;
}

function succeed(world: World, attempted: Intent, card: Card): Intent {
  const charge = recordCharge(world, attempted, card);
  const intent = world.books.put<Intent>({
    ...attempted,
    status: 'succeeded',
    amount_received: attempted.amount,
    latest_charge: charge.id,
  });
  world.publish('charge.succeeded', charge);
  world.publish('payment_intent.succeeded', intent);
  if (card.disputed) openDispute(world, charge.id);
  return intent;
}

function refuse(world: World, attempted: Intent, card: Card, decline: Decline): never {
  const intent = markRefused(world, attempted, card, decline);
  throw new StripeRefusal(402, decline.message, {
    type: 'card_error',
    code: decline.code,
    ...(decline.decline_code === null ? {} : { decline_code: decline.decline_code }),
    ...(intent.latest_charge === null ? {} : { charge: intent.latest_charge }),
    payment_intent: intent,
  });
}

function markRefused(world: World, attempted: Intent, card: Card, decline: Decline): Intent {
  const charge = recordCharge(world, attempted, card, decline);
  const { decline_code, ...about } = decline;
  const intent = world.books.put<Intent>({
    ...attempted,
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: charge.id,
    last_payment_error: { ...about, type: 'card_error', charge: charge.id, ...(decline_code === null ? {} : { decline_code }) },
  });
  world.publish('charge.failed', charge);
  world.publish('payment_intent.payment_failed', intent);
  return intent;
}
