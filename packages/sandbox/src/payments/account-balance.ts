import { type Readings, readParameters } from './parameters.ts';
import { badParameter, noSuch } from './refusal.ts';
import type { BalanceTransaction, Charge, Payout, Refund, Transfer } from './stripe-shapes.ts';
import type { Call, World } from './world.ts';

export interface AccountMovement extends Omit<BalanceTransaction, 'payout' | 'source'> {
  readonly source: AccountSource;
}
type SeenPayment = Omit<Charge, 'transfer' | 'payment_method_details'> & {
  readonly payment_method_details: null;
  readonly source_transfer: string;
};
type AccountSource = SeenPayment | Refund | Omit<Payout, 'account' | 'transactions'>;

const derived = (prefix: string, id: string): string => `${prefix}${id.slice(id.indexOf('_') + 1)}`;

/**
 * Returns the oldest first, without payouts, derived from the books each time with the same ids. A transfer is a payment to the account,
 * whose fee is the platform's; a reversal refunds that payment, and a returned fee is a refund of the fee alone.
 */
export function movementsOf({ books }: World, account: string): AccountMovement[] {
  const transfers = new Map(books.all('transfer').flatMap((one) => (one.destination === account ? [[one.id, one] as const] : [])));
  const fees = new Map(books.all('application_fee').flatMap((fee) => (fee.account === account ? [[fee.id, fee] as const] : [])));
  const feeOf = new Map([...fees.values()].map((fee) => [fee.charge, fee.amount]));
  const payments = [...transfers.values()].map((transfer) => {
    const fee = feeOf.get(transfer.source_transaction ?? '') ?? 0;
    return movement('payment', transfer, transfer.amount, fee, paymentOf(transfer, fee));
  });
  const refund = ({ id, created, currency }: Made, transfer: string, amount: number): Refund => ({
    id: derived('pyr_', id),
    object: 'refund',
    amount,
    balance_transaction: derived('txn_1', id),
    charge: derived('py_', transfer),
    created,
    currency,
    metadata: {},
    payment_intent: null,
    reason: null,
    status: 'succeeded',
    transfer_reversal: null,
    source_transfer_reversal: id.startsWith('trr_') ? id : null,
  });
  const reversals = books.all('transfer_reversal').flatMap((reversal) => {
    const { transfer, amount } = reversal;
    return transfers.has(transfer) ? [movement('payment_refund', reversal, -amount, 0, refund(reversal, transfer, amount))] : [];
  });
  const byCharge = new Map([...transfers.values()].map((transfer) => [transfer.source_transaction, transfer.id]));
  const returned = books.all('fee_refund').flatMap((back) => {
    const transfer = byCharge.get(fees.get(back.fee)?.charge ?? null);
    return transfer ? [movement('payment_refund', back, 0, -back.amount, refund(back, transfer, 0))] : [];
  });
  return [...payments, ...reversals, ...returned].sort((a, b) => a.created - b.created);
}

interface Made {
  readonly id: string;
  readonly created: number;
  readonly currency: string;
}

const paymentOf = ({ id, amount, created, currency, transfer_group }: Transfer, fee: number): SeenPayment => ({
  id: derived('py_', id),
  object: 'charge',
  amount,
  amount_captured: amount,
  amount_refunded: 0,
  application_fee: null,
  application_fee_amount: fee,
  balance_transaction: derived('txn_1', id),
  captured: true,
  created,
  currency,
  customer: null,
  description: null,
  disputed: false,
  failure_code: null,
  failure_message: null,
  livemode: false,
  metadata: {},
  on_behalf_of: null,
  paid: true,
  payment_intent: null,
  payment_method: null,
  payment_method_details: null,
  refunded: false,
  source_transfer: id,
  status: 'succeeded',
  transfer_data: null,
  transfer_group,
});

const movement = (
  type: 'payment' | 'payment_refund' | 'payout',
  { id, created, currency }: Made,
  amount: number,
  fee: number,
  source: AccountSource,
): AccountMovement => ({
  id: derived('txn_1', id),
  object: 'balance_transaction',
  amount,
  available_on: created,
  created,
  currency,
  description: null,
  exchange_rate: null,
  fee,
  net: amount - fee,
  reporting_category: categories[type],
  source,
  type,
  status: 'available',
  fee_details: fee === 0 ? [] : [{ ...applicationFee, amount: fee, currency }],
});
const categories = { payment: 'charge', payment_refund: 'refund', payout: 'payout' };
const applicationFee = { application: 'ca_corner', description: 'Application fee', type: 'application_fee' };

const paging = { created: 'range', expand: 'any', limit: 'integer', starting_after: 'string' } as const satisfies Readings;

export function listAccountBalance(call: Call, world: World): object {
  const { payout: id, ...given } = readParameters(call.form, { ...paging, payout: 'string' });
  const account = call.account ?? '';
  const payout = id === undefined ? undefined : world.books.get('payout', id);
  if (id !== undefined && payout?.account !== account) throw noSuch('payout', id, 'payout', 400);
  if (payout && !payout.automatic)
    throw badParameter('payout', 'Balance transaction history can only be filtered on automatic transfers, not manual.');
  const own = payout && movement('payout', payout, -payout.amount, 0, shown(payout));
  const all = movementsOf(world, account);
  const listed = payout && own ? [own, ...all.filter((one) => payout.transactions.includes(one.id)).reverse()] : all.reverse();
  return page(listed, given, '/v1/balance_transactions');
}

export function listPayouts(call: Call, world: World): object {
  const given = readParameters(call.form, { ...paging, status: 'string' });
  const { gte = 0 } = given.created ?? {};
  const payouts = world.books.all('payout').filter(({ account, created }) => account === call.account && created >= gte);
  return page(payouts.reverse().map(shown), given, '/v1/payouts');
}

const shown = ({ account: _account, transactions: _transactions, ...payout }: Payout) => payout;

function page(rows: readonly { readonly id: string }[], given: { limit?: number; starting_after?: string }, url: string): object {
  const { limit = 10, starting_after: after } = given;
  const start = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1;
  return { object: 'list', data: rows.slice(start, start + limit), has_more: rows.length > start + limit, url };
}
