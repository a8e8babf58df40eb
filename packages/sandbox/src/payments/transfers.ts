import { needAccount } from './accounts.ts';
import { needBalance, needBalanceOf } from './balance.ts';
import { currencyOf, shown } from './currencies.ts';
import { listOf } from './listing.ts';
import { mergeMetadata, readParameters, required } from './parameters.ts';
import { refundFee } from './refund-shares.ts';
import { badParameter, noSuch } from './refusal.ts';
import { reverse, sendTransfer } from './send-transfer.ts';
import type { Transfer, TransferReversal } from './stripe-shapes.ts';
import type { Call, World } from './world.ts';

/** Pays from the platform's balance, or with `source_transaction` from one charge, at most that charge. */
export function createTransfer(call: Call, world: World): Transfer {
  const given = readParameters(call.form, {
    amount: 'integer',
    currency: 'string',
    description: 'string',
    destination: 'string',
    expand: 'any',
    metadata: 'metadata',
    source_transaction: 'string',
    source_type: 'any',
    transfer_group: 'string',
  });
  const amount = required(given, 'amount');
  const currency = currencyOf(amount, required(given, 'currency'));
  const destination = required(given, 'destination');
  needAccount(world, destination, 'destination');
  const source = given.source_transaction;
  if (source === undefined) needBalance(world, amount, currency);
  else needLeftOf(world, source, amount, currency);
  return sendTransfer(world, {
    amount,
    currency,
    description: given.description ?? null,
    destination,
    metadata: mergeMetadata({}, given.metadata),
    source_transaction: source ?? null,
    transfer_group:
      given.transfer_group ?? (source === undefined ? null : (world.books.get('charge', source)?.transfer_group ?? `group_${source}`)),
  });
}

function needLeftOf({ books }: World, chargeId: string, amount: number, currency: string): void {
  const param = 'source_transaction';
  const charge = books.get('charge', chargeId);
  if (!charge) throw noSuch('charge', chargeId, param, 400);
  if (charge.currency !== currency)
    throw badParameter('currency', `The currency of source_transaction's balance transaction is ${charge.currency}.`);
  const sent = books.all('transfer').reduce((sum, one) => sum + (one.source_transaction === chargeId ? one.amount : 0), 0);
  if (sent + amount > charge.amount_captured) {
    throw badParameter(
      param,
      `Transfers using this transaction as a source must not exceed the source amount of ${shown(charge.amount_captured, currency)}. (There is already a transfer of ${shown(sent, currency)} using this source.)`,
    );
  }
}

export function createReversal(call: Call, world: World): TransferReversal {
  const given = readParameters(call.form, {
    amount: 'integer',
    description: 'string',
    expand: 'any',
    metadata: 'metadata',
    refund_application_fee: 'boolean',
  });
  const transfer = transferOf(call, world);
  const left = transfer.amount - transfer.amount_reversed;
  const amount = given.amount ?? left;
  if (left === 0) throw badParameter('id', `Transfer ${transfer.id} is already fully reversed.`);
  if (amount < 1) throw badParameter('amount', 'This value must be greater than or equal to 1.', 'parameter_invalid_integer');
  if (amount > left) {
    const [asked, rest] = [shown(amount, transfer.currency), shown(left, transfer.currency)];
    throw badParameter('amount', `Reversal amount (${asked}) is greater than unreversed amount on transfer (${rest})`);
  }
  const charge = transfer.source_transaction === null ? undefined : world.books.get('charge', transfer.source_transaction);
  const ofDestinationCharge = charge?.transfer === transfer.id;
  // The transfer of a destination charge can be reversed even when the account has no money left; its balance is then negative.
  if (!ofDestinationCharge) needBalanceOf(world, transfer.destination ?? '', amount, transfer.currency);
  const share = given.refund_application_fee && charge ? refundFee(world, charge, amount) : null;
  share?.make();
  return reverse(world, transfer, { amount, metadata: mergeMetadata({}, given.metadata), source_refund: null });
}

export function listReversals(call: Call, world: World): object {
  const { id } = transferOf(call, world);
  return listOf('transfer_reversal', `/v1/transfers/${id}/reversals`, {}, ({ transfer }) => transfer === id)(call, world);
}

function transferOf(call: Call, { books }: World): Transfer {
  const id = call.ids[0] ?? '';
  const transfer = books.get('transfer', id);
  if (!transfer) throw noSuch('transfer', id, 'id');
  return transfer;
}
