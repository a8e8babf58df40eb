import { needAccount } from './accounts.ts';
import { cardOf } from './cards.ts';
import { confirmIntent } from './confirm-intent.ts';
import { chargeable, checkSteps } from './currencies.ts';
import { mergeMetadata, oneOf, type Parameters, type Readings, readParameters, required } from './parameters.ts';
import { badParameter, missingParameter, noSuch } from './refusal.ts';
import type { Intent } from './stripe-shapes.ts';
import { type Call, seconds, type World } from './world.ts';

const intentParameters = {
  allowed_payment_method_types: 'list',
  amount: 'integer',
  application_fee_amount: 'integer',
  automatic_payment_methods: { enabled: 'boolean', allow_redirects: 'string' },
  capture_method: 'string',
  confirm: 'boolean',
  confirmation_method: 'string',
  currency: 'string',
  customer: 'string',
  description: 'string',
  expand: 'any',
  metadata: 'metadata',
  off_session: 'any',
  on_behalf_of: 'string',
  payment_method: 'string',
  payment_method_options: 'any',
  receipt_email: 'string',
  return_url: 'any',
  setup_future_usage: 'string',
  shipping: 'any',
  statement_descriptor: 'any',
  statement_descriptor_suffix: 'string',
  transfer_data: { amount: 'integer', destination: 'string' },
  transfer_group: 'string',
  use_stripe_sdk: 'any',
} as const satisfies Readings;

export function createIntent(call: Call, world: World): Intent {
  const given = readParameters(call.form, intentParameters);
  const amount = required(given, 'amount');
  const currency = chargeable(amount, required(given, 'currency'));
  if (given.customer !== undefined && !world.books.get('customer', given.customer)) {
    throw noSuch('customer', given.customer, 'customer', 400);
  }
  const card = given.payment_method === undefined ? undefined : cardOf(given.payment_method);
  if (given.payment_method !== undefined && !card) throw noSuch('PaymentMethod', given.payment_method, 'payment_method', 400);
  if (given.confirm && !card) throw missingParameter('payment_method');
  const destination = given.transfer_data && required(given.transfer_data, 'destination');
  checkAccounts(world, destination, given.on_behalf_of);
  checkSteps(given.application_fee_amount ?? 0, currency, 'application_fee_amount');
  checkMethods(given);
  if (given.statement_descriptor_suffix !== undefined) checkDescriptor(given.statement_descriptor_suffix);
  checkFee(amount, given.application_fee_amount, given.transfer_data?.amount, destination);

  const intent = world.books.put(newIntent(given, { amount, currency, destination }, world));
  world.publish('payment_intent.created', intent);
  return given.confirm ? confirmIntent(world, intent, given.payment_method, call) : intent;
}

interface Checked {
  readonly amount: number;
  readonly currency: string;
  readonly destination: string | undefined;
}

function newIntent(given: Parameters<typeof intentParameters>, { amount, currency, destination }: Checked, world: World): Intent {
  const id = world.newId('pi_3');
  return {
    id,
    object: 'payment_intent',
    amount,
    allowed_payment_method_types: (given.allowed_payment_method_types as Intent['allowed_payment_method_types'] | undefined) ?? null,
    amount_capturable: 0,
    amount_received: 0,
    application_fee_amount: given.application_fee_amount ?? null,
    automatic_payment_methods: { enabled: given.automatic_payment_methods?.enabled ?? true, allow_redirects: 'always' },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: oneOf(['automatic', 'automatic_async'] as const, given.capture_method ?? 'automatic_async', 'capture_method'),
    client_secret: `${id}_secret_${world.newId('')}`,
    confirmation_method: oneOf(['automatic', 'manual'] as const, given.confirmation_method ?? 'automatic', 'confirmation_method'),
    created: seconds(world.now()),
    currency,
    customer: given.customer ?? null,
    description: given.description ?? null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: mergeMetadata({}, given.metadata),
    next_action: null,
    on_behalf_of: given.on_behalf_of ?? null,
    payment_method: given.payment_method ?? null,
    payment_method_types: ['card'],
    processing: null,
    receipt_email: given.receipt_email ?? null,
    setup_future_usage:
      given.setup_future_usage === undefined
        ? null
        : oneOf(['off_session', 'on_session'] as const, given.setup_future_usage, 'setup_future_usage'),
    statement_descriptor_suffix: given.statement_descriptor_suffix ?? null,
    status: given.payment_method === undefined ? 'requires_payment_method' : 'requires_confirmation',
    transfer_data: destination === undefined ? null : { destination, ...amountOf(given.transfer_data?.amount) },
    transfer_group: given.transfer_group ?? (destination === undefined ? null : `group_${id}`),
  };
}

function checkMethods({
  allowed_payment_method_types: allowed,
  automatic_payment_methods: automatic,
}: Parameters<typeof intentParameters>): void {
  if (allowed === undefined) return;
  const param = 'allowed_payment_method_types';
  if (automatic !== undefined) {
    throw badParameter(param, 'You may only specify one of these parameters: automatic_payment_methods, allowed_payment_method_types.');
  }
  const [wrong] = allowed.filter((type) => !/^[a-z0-9_]+$/.test(type));
  if (wrong !== undefined) throw badParameter(`${param}[0]`, `Invalid ${param}: ${wrong} is no type of payment method`);
  if (!allowed.includes('card')) throw badParameter(param, 'No valid payment method types for this Payment Intent.');
}

function checkDescriptor(suffix: string): void {
  const param = 'statement_descriptor_suffix';
  if (suffix.length > 22)
    throw badParameter(param, `The statement descriptor suffix must be at most 22 characters. ${suffix} is too long.`);
  if (/[<>\\'"*]/.test(suffix)) throw badParameter(param, `The statement descriptor suffix cannot contain these characters: <>\\'"*`);
  if (/[^ -~\u00c0-\u024f]/.test(suffix)) throw badParameter(param, 'The statement descriptor suffix must contain only Latin characters.');
  if (!/[a-z]/i.test(suffix)) throw badParameter(param, 'The statement descriptor suffix must contain at least one Latin letter.');
}

function checkAccounts(world: World, destination: string | undefined, onBehalfOf: string | undefined): void {
  if (destination !== undefined) needAccount(world, destination, 'transfer_data[destination]');
  if (onBehalfOf === undefined) return;
  const account = world.books.get('account', onBehalfOf);
  if (!account) throw noSuch('account', onBehalfOf, 'on_behalf_of', 400);
  if (account.capabilities.card_payments !== 'active') {
    throw badParameter('on_behalf_of', 'The account in `on_behalf_of` needs to have the `card_payments` capability enabled.');
  }
}

function checkFee(amount: number, fee: number | undefined, transferred: number | undefined, destination: string | undefined): void {
  const param = 'application_fee_amount';
  if (transferred !== undefined && (transferred < 1 || transferred > amount)) {
    throw badParameter('transfer_data[amount]', 'The transfer amount must be at least 1 and no more than the amount.');
  }
  if (fee === undefined) return;
  if (destination === undefined) {
    throw badParameter(
      param,
      'Can only apply an application_fee_amount when the PaymentIntent is attempting a direct payment (using an OAuth key or Stripe-Account header) or destination payment (using `transfer_data[destination]`).',
    );
  }
  if (transferred !== undefined)
    throw badParameter(param, 'You may only specify one of these parameters: transfer_data[amount], application_fee_amount.');
  if (fee < 0) throw badParameter(param, 'This value must be greater than or equal to 0.', 'parameter_invalid_integer');
  if (fee > amount) throw badParameter(param, 'The application fee cannot be greater than the amount of the charge.');
}

const amountOf = (amount: number | undefined) => (amount === undefined ? {} : { amount });
