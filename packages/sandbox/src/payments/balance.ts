import { movementsOf } from './account-balance.ts';
import { readParameters } from './parameters.ts';
import { noSuch, StripeRefusal } from './refusal.ts';
import type { BalanceTransaction, EventType, Payout } from './stripe-shapes.ts';
import { type Call, seconds, type World } from './world.ts';

interface Movement {
  readonly type: BalanceTransaction['type'];
  readonly source: string;
  readonly amount: number;
  readonly currency: string;
  readonly fee?: { readonly amount: number; readonly description: string };
  readonly category?: string;
}

export function recordBalance(world: World, { type, source, amount, currency, fee, category = type }: Movement): BalanceTransaction {
  const created = seconds(world.now());
  const kept = fee?.amount ?? 0;
  return world.books.put<BalanceTransaction>({
    id: world.newId('txn_3'),
    object: 'balance_transaction',
    amount,
    available_on: created,
    created,
    currency,
    description: null,
    exchange_rate: null,
    fee: kept,
    fee_details:
      fee === undefined || kept === 0
        ? []
        : [{ amount: kept, application: null, currency, description: fee.description, type: 'stripe_fee' }],
    net: amount - kept,
    payout: null,
    reporting_category: category,
    source,
    status: 'available',
    type,
  });
}

function balances({ books }: World): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { currency, net } of books.all('balance_transaction')) sums.set(currency, (sums.get(currency) ?? 0) + net);
  return sums;
}

export function retrieveBalance(call: Call, world: World): object {
  readParameters(call.form, { expand: 'any' });
  const amounts = [...balances(world)].map(([currency, amount]) => ({ amount, currency, source_types: { card: amount } }));
  return {
    object: 'balance',
    available: amounts,
    livemode: false,
    pending: amounts.map(({ currency }) => ({ amount: 0, currency, source_types: { card: 0 } })),
  };
}

export function needBalance(world: World, amount: number, currency: string): void {
  if ((balances(world).get(currency) ?? 0) < amount) throw insufficient('You have insufficient available funds in your Stripe account.');
}

/** Throws Stripe's refusal when a connected account has less than `amount`: its transfers, less reversals and payouts. */
export function needBalanceOf(world: World, account: string, amount: number, currency: string): void {
  if (balanceOf(world, account, currency) < amount) {
    throw insufficient(`Insufficient funds in the Stripe balance of ${account} to reverse this transfer.`);
  }
}

function balanceOf({ books }: World, account: string, currency: string): number {
  const sum = (things: readonly { readonly amount: number }[]): number => things.reduce((total, { amount }) => total + amount, 0);
  const transfers = books.all('transfer').filter((one) => one.destination === account && one.currency === currency);
  const fees = books.all('application_fee').filter((one) => one.account === account && one.currency === currency);
  const paidOut = books.all('payout').filter((one) => one.account === account && one.currency === currency && one.status !== 'failed');
  const reversed = transfers.reduce((total, { amount_reversed }) => total + amount_reversed, 0);
  const returned = fees.reduce((total, { amount_refunded }) => total + amount_refunded, 0);
  return sum(transfers) - reversed - sum(fees) + returned - sum(paidOut);
}

/** Null is the platform's account. Throws when there is no balance. */
export function payOut(world: World, account: string | null, currency: string, arrivesInDays = 0): Payout {
  const amount = account === null ? (balances(world).get(currency) ?? 0) : balanceOf(world, account, currency);
  if (amount <= 0) throw insufficient('There is nothing to pay out.');
  const created = seconds(world.now());
  const payout = world.books.put<Payout>({
    id: world.newId('po_1'),
    object: 'payout',
    account,
    amount,
    arrival_date: created + arrivesInDays * 86_400,
    automatic: true,
    created,
    currency,
    failure_code: null,
    livemode: false,
    reconciliation_status: 'completed',
    status: arrivesInDays === 0 ? 'paid' : 'in_transit',
    transactions: account === null ? [] : unpaidOf(world, account, currency),
  });
  if (account === null) {
    recordBalance(world, { type: 'payout', source: payout.id, amount: -amount, currency });
    for (const movement of world.books.all('balance_transaction')) {
      if (movement.currency === currency && movement.payout === null) world.books.put({ ...movement, payout: payout.id });
    }
  }
  publishPayout(world, arrivesInDays === 0 ? 'payout.paid' : 'payout.created', payout);
  publishPayout(world, 'payout.reconciliation_completed', payout);
  return payout;
}

export function settlePayout(world: World, id: string, outcome: 'paid' | 'failed'): Payout {
  const known = world.books.get('payout', id);
  if (known?.status !== 'in_transit') throw noSuch('payout', id, 'payout');
  const payout = world.books.put<Payout>({ ...known, status: outcome, failure_code: outcome === 'failed' ? 'account_closed' : null });
  publishPayout(world, `payout.${outcome}`, payout);
  return payout;
}

function publishPayout(world: World, type: EventType, { account, transactions: _own, ...payout }: Payout): void {
  world.publish(type, payout, account === null ? {} : { account });
}

function unpaidOf(world: World, account: string, currency: string): string[] {
  const paid = new Set(world.books.all('payout').flatMap(({ status, transactions }) => (status === 'failed' ? [] : transactions)));
  return movementsOf(world, account).flatMap((one) => (one.currency === currency && !paid.has(one.id) ? [one.id] : []));
}

export function topUp(world: World, amount: number, currency: string): BalanceTransaction {
  return recordBalance(world, { type: 'topup', source: world.newId('tu_1'), amount, currency });
}

const insufficient = (message: string): StripeRefusal => new StripeRefusal(400, message, { code: 'balance_insufficient' });
