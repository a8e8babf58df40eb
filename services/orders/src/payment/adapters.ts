import Stripe from 'stripe';
import { z } from 'zod';
import type { KnownState } from '../provider/adapters/states.ts';
import { calling, type Intent, idOf, orNull, Reference, intentOf as readIntent } from '../provider/adapters.ts';

/**
 * The payment intent to create. The money goes to the store's account, and the fee stays with the platform. `descriptor` ends the line on
 * the customer's statement, after the account's own name; null for none. Delayed methods are confirmed by a bank days later.
 */
export interface IntentRequest {
  readonly orderId: string;
  readonly storeId: string;
  readonly amountPence: number;
  readonly currency: string;
  readonly customer: string;
  readonly destination: string;
  readonly feePence: number;
  readonly onBehalfOf: boolean;
  readonly descriptor: string | null;
  readonly delayedMethods: boolean;
}

/**
 * The calls to the payment provider. Creating calls take an idempotency key, which `askProvider` decides. They throw `Declined` and
 * `Unanswered`.
 */
export interface Payments {
  createCustomer(customerId: string, key: string): Promise<{ readonly id: string }>;
  /** Returns the provider's customer for one of ours, created at `since` or later; null when there is none. */
  findCustomer(customerId: string, since: Date): Promise<{ readonly id: string } | null>;
  /** Deletes a customer at the provider. One that it does not know is deleted already. */
  deleteCustomer(providerId: string): Promise<void>;
  createIntent(request: IntentRequest, key: string): Promise<Intent>;
  intentsOf(customer: string, orderId: string): Promise<readonly Intent[]>;
  /** Null when the platform's account does not know it. */
  intent(intentId: string): Promise<Intent | null>;
  /** Cancels an intent. Returns it: canceled, or in the state that prevented that. */
  cancelIntent(intentId: string): Promise<Intent>;
  ephemeralKey(customer: string, key: string): Promise<string>;
  intentOfCharge(chargeId: string): Promise<string | null>;
}

/**
 * Methods whose outcome is known within the checkout. `card` includes Apple Pay and Google Pay. The provider offers those that are
 * switched on and fit the currency.
 */
const promptMethods = [
  ...(['card', 'link', 'amazon_pay', 'bancontact', 'blik', 'cashapp', 'eps', 'ideal', 'klarna'] as const),
  ...(['mobilepay', 'p24', 'paypal', 'revolut_pay', 'swish', 'twint'] as const),
];

const Created = z.object({ id: z.string() });
const Customers = z.array(Created.extend({ metadata: z.record(z.string(), z.string()).nullish() }));

const mostCustomers = 1_000;
/** By how much the provider's clock may be behind. */
const clockDifferenceMs = 60_000;

export function createPayments(stripe: Stripe, mobileApiVersion: string, known: KnownState): Payments {
  const intentOf = (intent: Stripe.PaymentIntent) => readIntent(intent, known);
  return {
    createCustomer: (customerId, idempotencyKey) =>
      calling(async () => Created.parse(await stripe.customers.create({ metadata: { customer_id: customerId } }, { idempotencyKey }))),
    findCustomer: (customerId, since) =>
      calling(async () => {
        const created = { gte: Math.floor((since.getTime() - clockDifferenceMs) / 1000) };
        const listed = Customers.parse(await stripe.customers.list({ created, limit: 100 }).autoPagingToArray({ limit: mostCustomers }));
        const found = listed.findLast(({ metadata }) => metadata?.customer_id === customerId);
        return found ? { id: found.id } : null;
      }),
    deleteCustomer: (providerId) =>
      calling(async () => {
        await orNull(() => stripe.customers.del(providerId));
      }),
    createIntent: (request, idempotencyKey) =>
      calling(async () =>
        intentOf(
          await stripe.paymentIntents.create(
            {
              amount: request.amountPence,
              currency: request.currency.toLowerCase(),
              customer: request.customer,
              transfer_data: { destination: request.destination },
              ...(request.feePence > 0 ? { application_fee_amount: request.feePence } : {}),
              ...(request.onBehalfOf ? { on_behalf_of: request.destination } : {}),
              ...(request.descriptor === null ? {} : { statement_descriptor_suffix: request.descriptor }),
              ...(request.delayedMethods ? {} : { allowed_payment_method_types: [...promptMethods] }),
              transfer_group: request.orderId,
              metadata: { order_id: request.orderId, store_id: request.storeId },
            },
            { idempotencyKey },
          ),
        ),
      ),
    intentsOf: (customer, orderId) =>
      calling(async () =>
        (await stripe.paymentIntents.list({ customer, limit: 100 })).data
          .map(intentOf)
          .filter((intent) => intent.orderId === orderId && intent.status !== 'canceled')
          .toReversed(),
      ),
    intent: (intentId) => calling(() => orNull(async () => intentOf(await stripe.paymentIntents.retrieve(intentId)))),
    cancelIntent: (intentId) =>
      calling(async () => {
        try {
          return intentOf(await stripe.paymentIntents.cancel(intentId));
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeAPIError)) throw error;
          // After an error the intent may be cancelled all the same.
          const intent = intentOf(await stripe.paymentIntents.retrieve(intentId));
          if (error instanceof Stripe.errors.StripeInvalidRequestError || isOver(intent)) return intent;
          throw error;
        }
      }),
    ephemeralKey: (customer, idempotencyKey) =>
      calling(async () => {
        const key = await stripe.ephemeralKeys.create({ customer }, { apiVersion: mobileApiVersion, idempotencyKey });
        return z.string().parse(key.secret);
      }),
    intentOfCharge: (id) => calling(() => orNull(async () => idOf(Reference.parse((await stripe.charges.retrieve(id)).payment_intent)))),
  };
}

const isOver = ({ status }: Intent): boolean => status === 'canceled' || status === 'succeeded';
