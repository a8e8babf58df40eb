import type Stripe from 'stripe';
import { z } from 'zod';
import { calling, idOf, orNull, Reference } from '../provider/adapters.ts';
import type { ComparedKind, Movement } from './rules.ts';

export interface Balance {
  /** Reads all order movements made in a span of time, both ends included. Payouts and the provider's own fees are left out. */
  movements(from: Date, to: Date): Promise<readonly Movement[]>;
  /** Reads the movements of one object, at any time: of an intent's charge, or of a refund, dispute, transfer or reversal. */
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

const Metadata = z.record(z.string(), z.string()).nullish();
const Source = z.discriminatedUnion('object', [
  z.object({
    object: z.literal('charge'),
    id: z.string(),
    amount: z.int(),
    currency: z.string(),
    status: z.string(),
    payment_intent: Reference,
  }),
  z.object({ object: z.literal('refund'), id: z.string(), amount: z.int(), currency: z.string(), payment_intent: Reference }),
  z.object({ object: z.literal('dispute'), id: z.string(), payment_intent: Reference }),
  z.object({ object: z.literal('transfer'), id: z.string(), metadata: Metadata }),
  z.object({ object: z.literal('transfer_reversal'), id: z.string(), source_refund: Reference, transfer: Reference }),
]);
type Source = z.output<typeof Source>;
const sources: readonly unknown[] = Source.options.map(({ shape }) => shape.object.value);
const BalanceTransaction = z.object({ id: z.string(), type: z.string(), amount: z.int(), fee: z.int(), currency: z.string() });

async function movementsIn(stripe: Stripe, { source: given, ...listed }: Stripe.BalanceTransaction): Promise<Movement[]> {
  if (typeof given !== 'object' || given === null || !sources.includes(given.object)) return [];
  const source = Source.parse(given);
  const { id, type, amount, fee, currency } = BalanceTransaction.parse(listed);
  const named = (kind: ComparedKind, of: Partial<Movement> = {}): Movement[] => [
    {
      kind,
      provider_ref: source.id,
      amount_pence: amount,
      currency: currency.toUpperCase(),
      intentId: null,
      orderId: null,
      failedCharge: null,
      fee_pence: null,
      ...of,
    },
  ];
  switch (source.object) {
    case 'charge': {
      const intentId = idOf(source.payment_intent);
      // A bank debit is listed when it begins, but its money arrives only when it has succeeded.
      if (!intentId || source.status === 'pending') return [];
      const failedCharge = source.status === 'failed' ? source.id : null;
      const fee_pence = source.currency === currency ? fee : null;
      // A negative charge is the bank taking back a payment.
      if (amount < 0)
        return named('dispute', { provider_ref: id, intentId, failedCharge: source.id, fee_pence, ...inOwnCurrency(source, -1) });
      return named('charge', { provider_ref: intentId, intentId, failedCharge, fee_pence, ...inOwnCurrency(source, 1) });
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
      return source.metadata?.dispute_id ? named('transfer', { orderId: source.metadata.order_id ?? null }) : [];
    case 'transfer_reversal':
      // A refund reverses its part of the transfer automatically. Any other reversal was made for a dispute, or by hand.
      return source.source_refund ? [] : named('transfer_reversal', { orderId: await orderOfTransfer(stripe, idOf(source.transfer)) });
    default:
      return source satisfies never;
  }
}

const orderOfTransfer = async (stripe: Stripe, transferId: string | null): Promise<string | null> =>
  transferId
    ? z
        .string()
        .nullable()
        .parse((await stripe.transfers.retrieve(transferId)).transfer_group)
    : null;

/** The balance may be in another currency than the payment and the ledger. */
const inOwnCurrency = ({ amount, currency }: Extract<Source, { object: 'charge' | 'refund' }>, sign: 1 | -1) => ({
  amount_pence: sign * amount,
  currency: currency.toUpperCase(),
});
