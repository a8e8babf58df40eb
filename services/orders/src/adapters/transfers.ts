import type Stripe from 'stripe';
import { idOf } from './provider-shapes.ts';
import { calling } from './stripe-client.ts';

/** The transfer of a payment to its store's account. */
export interface Transfer {
  readonly id: string;
  readonly amountPence: number;
  readonly reversedPence: number;
}

/** A movement of a store's share: back to the platform, or to the store again. */
export interface ShareMovement {
  readonly id: string;
  readonly amountPence: number;
  /** The dispute it was made for; null for any other. */
  readonly disputeId: string | null;
}

interface ShareRequest {
  readonly disputeId: string;
  readonly orderId: string;
  readonly amountPence: number;
}

/** The transfers between the platform and the stores' accounts. Calls that create something take an idempotency key. */
export interface Transfers {
  /** The transfer of an intent's payment; null when it was paid to the platform itself. */
  transferOf(intentId: string): Promise<Transfer | null>;
  reverseTransfer(transferId: string, request: ShareRequest, key: string): Promise<ShareMovement>;
  /** All reversals of a transfer. */
  reversalsOf(transferId: string): Promise<readonly ShareMovement[]>;
  /** Pays a store's account from the platform's balance. `currency` is upper case. */
  payStore(request: ShareRequest & { readonly account: string; readonly currency: string }, key: string): Promise<ShareMovement>;
  /** All transfers of an order to its store, the payment's own included. */
  transfersOf(orderId: string): Promise<readonly ShareMovement[]>;
}

const most = 1_000;

export const createTransfers = (stripe: Stripe): Transfers => ({
  transferOf: (intentId) =>
    calling(async () => {
      const { latest_charge } = await stripe.paymentIntents.retrieve(intentId);
      const chargeId = idOf(latest_charge);
      const transferId = chargeId ? idOf((await stripe.charges.retrieve(chargeId)).transfer) : null;
      if (!transferId) return null;
      const { id, amount, amount_reversed } = await stripe.transfers.retrieve(transferId);
      return { id, amountPence: amount, reversedPence: amount_reversed };
    }),
  reverseTransfer: (transferId, { amountPence, ...ids }, idempotencyKey) =>
    calling(async () =>
      movementOf(await stripe.transfers.createReversal(transferId, { amount: amountPence, metadata: metadataOf(ids) }, { idempotencyKey })),
    ),
  reversalsOf: (transferId) =>
    calling(async () =>
      (await stripe.transfers.listReversals(transferId, { limit: 100 }).autoPagingToArray({ limit: most })).map(movementOf),
    ),
  payStore: ({ account, amountPence, currency, ...ids }, idempotencyKey) =>
    calling(async () =>
      movementOf(
        await stripe.transfers.create(
          {
            amount: amountPence,
            currency: currency.toLowerCase(),
            destination: account,
            transfer_group: ids.orderId,
            metadata: metadataOf(ids),
          },
          { idempotencyKey },
        ),
      ),
    ),
  transfersOf: (orderId) =>
    calling(async () =>
      (await stripe.transfers.list({ transfer_group: orderId, limit: 100 }).autoPagingToArray({ limit: most })).map(movementOf),
    ),
});

const metadataOf = ({ disputeId, orderId }: Pick<ShareRequest, 'disputeId' | 'orderId'>) => ({ dispute_id: disputeId, order_id: orderId });

const movementOf = ({ id, amount, metadata }: Stripe.Transfer | Stripe.TransferReversal): ShareMovement => ({
  id,
  amountPence: amount,
  disputeId: metadata?.dispute_id ?? null,
});
