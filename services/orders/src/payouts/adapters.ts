import type Stripe from 'stripe';
import { z } from 'zod';
import type { KnownState } from '../provider/adapters/states.ts';
import { calling, idOf, Reference } from '../provider/adapters.ts';
import type { PayoutEntry, Payout as ProviderPayout } from './rules.ts';

export interface Payouts {
  payoutsOf(accountId: string, since: Date): Promise<readonly ProviderPayout[]>;
  entriesOf(accountId: string, payoutId: string): Promise<readonly PayoutEntry[]>;
}

export const createPayouts = (stripe: Stripe, known: KnownState): Payouts => ({
  payoutsOf: (stripeAccount, since) =>
    calling(async () => {
      const found: ProviderPayout[] = [];
      const created = { gte: Math.floor(since.getTime() / 1000) };
      for await (const payout of stripe.payouts.list({ created, limit: 100 }, { stripeAccount })) found.push(payoutOf(payout, known));
      return found;
    }),
  entriesOf: (stripeAccount, payout) =>
    calling(async () => {
      const found: PayoutEntry[] = [];
      const wanted = { payout, limit: 100, expand: ['data.source', 'data.source.source_transfer'] };
      for await (const one of stripe.balanceTransactions.list(wanted, { stripeAccount })) {
        if (one.type !== 'payout') found.push(entryOf(one));
      }
      return found;
    }),
});

const Payout = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  arrival_date: z.int(),
  created: z.int(),
  failure_code: z.string().nullish(),
  automatic: z.boolean(),
  reconciliation_status: z.string().nullish(),
});
const payoutStates = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;

/** A state that is unknown here is shown unchanged: nothing depends on it. */
function payoutOf(listed: Stripe.Payout, known: KnownState): ProviderPayout {
  const payout = Payout.parse(listed);
  known('payout', payoutStates, payout.status);
  return {
    id: payout.id,
    amountPence: payout.amount,
    currency: payout.currency.toUpperCase(),
    status: payout.status,
    arrivesOn: new Date(payout.arrival_date * 1000).toISOString().slice(0, 10),
    createdAt: new Date(payout.created * 1000),
    failure: payout.failure_code ?? null,
    isItemised: payout.automatic && payout.reconciliation_status === 'completed',
  };
}

const Entry = z.object({
  id: z.string(),
  net: z.int(),
  currency: z.string(),
  source: z
    .union([
      z.string(),
      z.object({
        id: z.string(),
        object: z.string().nullish(),
        charge: Reference,
        source_transfer: z.union([z.string(), z.object({ transfer_group: z.string().nullish() })]).nullish(),
      }),
    ])
    .nullish(),
});

/** A destination charge appears as a payment to the account, made by a transfer whose group is our order's id. */
function entryOf(listed: Stripe.BalanceTransaction): PayoutEntry {
  const { id, net, currency, source } = Entry.parse(listed);
  const entry = {
    transactionId: id,
    sourceId: idOf(source),
    refundOf: null,
    orderId: null,
    netPence: net,
    currency: currency.toUpperCase(),
  };
  if (typeof source !== 'object' || source === null) return entry;
  if (source.object === 'refund') return { ...entry, refundOf: idOf(source.charge) };
  if (source.object !== 'charge' || typeof source.source_transfer !== 'object') return entry;
  return { ...entry, orderId: source.source_transfer?.transfer_group ?? null };
}
