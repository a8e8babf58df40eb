import { type Readings, readParameters } from './parameters.ts';
import { badParameter, noSuch } from './refusal.ts';
import type { Payout } from './stripe-shapes.ts';
import type { Call, World } from './world.ts';

/** A movement of a connected account's balance. The books keep what made it; it is derived each time, with the same id. */
export interface AccountMovement {
  readonly id: string;
  readonly object: 'balance_transaction';
  readonly amount: number;
  readonly created: number;
  readonly currency: string;
  readonly fee: number;
  readonly net: number;
  readonly source: { readonly id: string; readonly object: 'charge' | 'refund' | 'payout' };
  readonly type: 'payment' | 'payment_refund' | 'payout';
}

const derived = (prefix: string, id: string): string => `${prefix}${id.slice(id.indexOf('_') + 1)}`;

/**
 * Returns the movements of an account's balance without its payouts, oldest first. A transfer is a payment of the account, whose fee is the
 * platform's; a reversal refunds that payment, and what the platform returns of its fee is a refund of nothing but the fee.
 */
export function movementsOf({ books }: World, account: string): AccountMovement[] {
  const transfers = new Map(books.all('transfer').flatMap((one) => (one.destination === account ? [[one.id, one] as const] : [])));
  const fees = new Map(books.all('application_fee').flatMap((fee) => (fee.account === account ? [[fee.id, fee] as const] : [])));
  const feeOf = new Map([...fees.values()].map((fee) => [fee.charge, fee.amount]));
  const payments = [...transfers.values()].map((transfer) => {
    const fee = feeOf.get(transfer.source_transaction ?? '') ?? 0;
    const source = { id: derived('py_', transfer.id), object: 'charge' as const, amount: transfer.amount, source_transfer: transfer.id };
    return movement('payment', transfer, transfer.amount, fee, source);
  });
  const refund = (id: string, transfer: string, amount: number) => ({
    ...{ id: derived('pyr_', id), object: 'refund' as const, amount, charge: derived('py_', transfer) },
    source_transfer_reversal: id.startsWith('trr_') ? id : null,
  });
  const reversals = books.all('transfer_reversal').flatMap((reversal) => {
    const { id, transfer, amount } = reversal;
    return transfers.has(transfer) ? [movement('payment_refund', reversal, -amount, 0, refund(id, transfer, amount))] : [];
  });
  const byCharge = new Map([...transfers.values()].map((transfer) => [transfer.source_transaction, transfer.id]));
  const returned = books.all('fee_refund').flatMap((back) => {
    const transfer = byCharge.get(fees.get(back.fee)?.charge ?? null);
    return transfer ? [movement('payment_refund', back, 0, -back.amount, refund(back.id, transfer, 0))] : [];
  });
  return [...payments, ...reversals, ...returned].sort((a, b) => a.created - b.created);
}

const movement = (
  type: AccountMovement['type'],
  { id, created, currency }: { readonly id: string; readonly created: number; readonly currency: string },
  amount: number,
  fee: number,
  source: AccountMovement['source'],
): AccountMovement => ({
  ...{ id: derived('txn_1', id), object: 'balance_transaction', amount, created, currency, fee, net: amount - fee, source, type },
});

const paging = { created: 'range', expand: 'any', limit: 'integer', starting_after: 'string' } as const satisfies Readings;

/** GET /v1/balance_transactions in the name of an account. Their sources are always expanded, since they are no objects of the books. */
export function listAccountBalance(call: Call, world: World): object {
  const { payout: id, ...given } = readParameters(call.form, { ...paging, payout: 'string' });
  const account = call.account ?? '';
  const payout = id === undefined ? undefined : world.books.get('payout', id);
  if (id !== undefined && payout?.account !== account) throw noSuch('payout', id, 'payout', 400);
  if (payout && !payout.automatic)
    throw badParameter('payout', 'Balance transaction history can only be filtered on automatic transfers, not manual.');
  const own = payout && { ...movement('payout', payout, -payout.amount, 0, { id: payout.id, object: 'payout' }) };
  const all = movementsOf(world, account);
  const listed = payout && own ? [own, ...all.filter((one) => payout.transactions.includes(one.id)).reverse()] : all.reverse();
  return page(listed, given, '/v1/balance_transactions');
}

/** GET /v1/payouts, of the account in whose name it is asked for, or of the platform. */
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
