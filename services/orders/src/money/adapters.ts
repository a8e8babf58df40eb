import type Stripe from 'stripe';
import { calling, idOf, orNull } from '../provider/adapters.ts';
import type { ComparedKind, Movement } from './rules.ts';

/** The platform's balance at the payment provider. */
export interface Balance {
  /** Reads all movements for orders that were made in a span of time, both ends included. Payouts and the provider's own fees are left out. */
  movements(from: Date, to: Date): Promise<readonly Movement[]>;
  /** Reads the movements of one object, whenever they were made: of an intent's charge, or of a refund, dispute, transfer or reversal. */
  movementsOf(providerRef: string): Promise<readonly Movement[]>;
}

export const createBalance = (stripe: Stripe): Balance => ({
  movements: (from, to) =>
    calling(async () => {
      const created = { gte: Math.floor(from.getTime() / 1000), lte: Math.ceil(to.getTime() / 1000) };
      const found: Movement[] = [];
      for await (const one of stripe.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] }))
        found.push(...(await movementsIn(stripe, one)));
      return found;
    }),
  movementsOf: (providerRef) =>
    calling(async () => {
      const found = await orNull(() => balanceOf(stripe, providerRef));
      return (await Promise.all((found ?? []).map((one) => movementsIn(stripe, one)))).flat();
    }),
});

async function balanceOf(stripe: Stripe, providerRef: string): Promise<readonly Stripe.BalanceTransaction[]> {
  if (providerRef.startsWith('txn_')) return [await stripe.balanceTransactions.retrieve(providerRef, { expand: ['source'] })];
  const source = providerRef.startsWith('pi_') ? idOf((await stripe.paymentIntents.retrieve(providerRef)).latest_charge) : providerRef;
  return source ? (await stripe.balanceTransactions.list({ source, limit: 100, expand: ['data.source'] })).data : [];
}

type Source = Exclude<Stripe.BalanceTransaction['source'], string | null>;

/** Converts a movement of the balance; empty when it concerns no order. */
async function movementsIn(stripe: Stripe, { id, type, source, amount, fee, currency }: Stripe.BalanceTransaction): Promise<Movement[]> {
  if (typeof source !== 'object' || source === null) return [];
  const named = (kind: ComparedKind, of: Partial<Movement> = {}): Movement[] => [
    {
      ...{ kind, provider_ref: source.id, amount_pence: amount, currency: currency.toUpperCase() },
      ...{ intentId: null, orderId: null, fee_pence: null, ...of },
    },
  ];
  switch (source.object) {
    case 'charge': {
      const intentId = idOf(source.payment_intent);
      const fee_pence = source.currency === currency ? fee : null;
      return intentId && source.captured
        ? named('charge', { provider_ref: intentId, intentId, fee_pence, ...inOwnCurrency(source, 1) })
        : [];
    }
    case 'refund': {
      const failed = type === 'refund_failure' || type === 'payment_failure_refund';
      return named(failed ? 'refund_failed' : 'refund', {
        intentId: idOf(source.payment_intent),
        ...inOwnCurrency(source, failed ? 1 : -1),
      });
    }
    case 'dispute':
      return named(amount < 0 ? 'dispute' : 'dispute_returned', { provider_ref: id, intentId: idOf(source.payment_intent) });
    case 'transfer':
      return source.metadata.dispute_id ? named('transfer', { orderId: source.metadata.order_id ?? null }) : [];
    case 'transfer_reversal':
      // A refund reverses its part of the transfer itself. Any other reversal was made for a dispute, or by hand.
      return source.source_refund ? [] : named('transfer_reversal', { orderId: await orderOfTransfer(stripe, idOf(source.transfer)) });
    default:
      return [];
  }
}

const orderOfTransfer = async (stripe: Stripe, transferId: string | null): Promise<string | null> =>
  transferId ? (await stripe.transfers.retrieve(transferId)).transfer_group : null;

/** The balance may be in another currency than the payment, which the ledger has. */
const inOwnCurrency = ({ amount, currency }: Extract<Source, { object: 'charge' | 'refund' }>, sign: 1 | -1) => ({
  amount_pence: sign * amount,
  currency: currency.toUpperCase(),
});
