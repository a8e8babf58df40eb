import Stripe from 'stripe';
import { type Intent, idOf, intentOf, type ProviderRefund, refundOf } from './provider-shapes.ts';
import { calling, orNull } from './stripe-client.ts';

/** The payment intent to create. The money goes to the store's account, and the fee stays with the platform. */
export interface IntentRequest {
  readonly orderId: string;
  readonly storeId: string;
  readonly amountPence: number;
  readonly currency: string;
  readonly customer: string;
  readonly destination: string;
  readonly feePence: number;
  readonly onBehalfOf: boolean;
}

export interface RefundRequest {
  readonly refundId: string;
  readonly orderId: string;
  readonly attempt: string;
  readonly intentId: string;
  readonly amountPence: number;
  /** Whether the application fee is refunded too: there was one, and the store bears the refund. */
  readonly withFee: boolean;
  readonly borneBy: 'store' | 'reversed' | 'platform';
}

/**
 * The calls to the payment provider. Each POST carries an idempotency key that is derived before the call, so a repeat has no second
 * effect.
 */
export interface Payments {
  customer(customerId: string): Promise<string>;
  createIntent(request: IntentRequest): Promise<Intent>;
  /** Null when the platform's account does not know it. */
  intent(intentId: string): Promise<Intent | null>;
  /** Cancels an intent. Returns it: canceled, or in the state that prevented that. */
  cancelIntent(intentId: string): Promise<Intent>;
  /** Creates a key for the payment sheet. Repeats with the same `window` return the same key. */
  ephemeralKey(customer: string, orderId: string, window: number): Promise<string>;
  refund(request: RefundRequest): Promise<ProviderRefund>;
  /** Null when the platform's account does not know it. */
  refundById(providerRefundId: string): Promise<ProviderRefund | null>;
  /** All refunds of an intent, including those made at the dashboard. */
  refundsOf(intentId: string): Promise<readonly ProviderRefund[]>;
  /** The id of the intent a charge belongs to. */
  intentOfCharge(chargeId: string): Promise<string | null>;
  /** The id of the intent a dispute is about. */
  intentOfDispute(disputeId: string): Promise<string | null>;
  /** Whether the payment of an intent is disputed now. A mere inquiry does not count. */
  heldInDispute(intentId: string): Promise<boolean>;
}

/** Makes the calls. `mobileApiVersion` is the version that ephemeral keys are made for. */
export function createPayments(stripe: Stripe, mobileApiVersion: string): Payments {
  return {
    customer: (customerId) =>
      calling(
        async () =>
          (await stripe.customers.create({ metadata: { customer_id: customerId } }, { idempotencyKey: `customer:${customerId}` })).id,
      ),
    createIntent: (request) =>
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
              transfer_group: request.orderId,
              metadata: { order_id: request.orderId, store_id: request.storeId },
            },
            { idempotencyKey: `pi:${request.orderId}` },
          ),
        ),
      ),
    intent: (intentId) =>
      calling(() => orNull(async () => intentOf(await stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })))),
    cancelIntent: (intentId) =>
      calling(async () => {
        try {
          return intentOf(await stripe.paymentIntents.cancel(intentId));
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
          return intentOf(await stripe.paymentIntents.retrieve(intentId));
        }
      }),
    ephemeralKey: (customer, orderId, window) =>
      calling(async () => {
        const key = await stripe.ephemeralKeys.create(
          { customer },
          { apiVersion: mobileApiVersion, idempotencyKey: `ek:${orderId}:${window}` },
        );
        return key.secret ?? '';
      }),
    refund: ({ refundId, orderId, attempt, intentId, amountPence, withFee, borneBy }) =>
      calling(async () =>
        refundOf(
          await stripe.refunds.create(
            {
              payment_intent: intentId,
              amount: amountPence,
              reverse_transfer: borneBy === 'store',
              ...(withFee ? { refund_application_fee: true } : {}),
              metadata: { order_id: orderId, refund_id: refundId },
            },
            { idempotencyKey: `refund:${orderId}:${attempt}${borneBy === 'platform' ? ':platform' : ''}` },
          ),
        ),
      ),
    refundById: (id) => calling(() => orNull(async () => refundOf(await stripe.refunds.retrieve(id)))),
    refundsOf: (intentId) => calling(async () => (await stripe.refunds.list({ payment_intent: intentId, limit: 100 })).data.map(refundOf)),
    intentOfCharge: (id) => calling(() => orNull(async () => idOf((await stripe.charges.retrieve(id)).payment_intent))),
    intentOfDispute: (id) => calling(() => orNull(async () => idOf((await stripe.disputes.retrieve(id)).payment_intent))),
    heldInDispute: (intentId) =>
      calling(async () =>
        (await stripe.disputes.list({ payment_intent: intentId, limit: 100 })).data.some(
          ({ status }) => status === 'needs_response' || status === 'under_review',
        ),
      ),
  };
}
