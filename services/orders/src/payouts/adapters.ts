import type Stripe from 'stripe';
import { calling, idOf } from '../provider/adapters.ts';
import type { Payout, PayoutEntry } from './rules.ts';

/** What the provider pays out to the banks of connected accounts. */
export interface Payouts {
  /** Reads the payouts of an account that were created since an instant, newest first. */
  payoutsOf(accountId: string, since: Date): Promise<readonly Payout[]>;
  /** Reads the movements that an itemised payout pays out, without the payout's own. */
  entriesOf(accountId: string, payoutId: string): Promise<readonly PayoutEntry[]>;
}

export const createPayouts = (stripe: Stripe): Payouts => ({
  payoutsOf: (stripeAccount, since) =>
    calling(async () => {
      const found: Payout[] = [];
      const created = { gte: Math.floor(since.getTime() / 1000) };
      for await (const payout of stripe.payouts.list({ created, limit: 100 }, { stripeAccount })) found.push(payoutOf(payout));
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

const payoutOf = (payout: Stripe.Payout): Payout => ({
  id: payout.id,
  amountPence: payout.amount,
  currency: payout.currency.toUpperCase(),
  status: payout.status,
  arrivesOn: new Date(payout.arrival_date * 1000).toISOString().slice(0, 10),
  createdAt: new Date(payout.created * 1000),
  failure: payout.failure_code,
  isItemised: payout.automatic && payout.reconciliation_status === 'completed',
});

/** A destination charge is a payment of the account, which its transfer made: the transfer's group is our order's id. */
function entryOf({ id, net, currency, source }: Stripe.BalanceTransaction): PayoutEntry {
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
