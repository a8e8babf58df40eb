import { recordBalance } from './balance.ts';
import type { Transfer, TransferReversal } from './stripe-shapes.ts';
import { seconds, type World } from './world.ts';

type TransferRequest = Pick<
  Transfer,
  'amount' | 'currency' | 'description' | 'destination' | 'metadata' | 'source_transaction' | 'transfer_group'
>;

export function sendTransfer(world: World, request: TransferRequest): Transfer {
  const id = world.newId('tr_3');
  const moved = recordBalance(world, { type: 'transfer', source: id, amount: -request.amount, currency: request.currency });
  const transfer = world.books.put<Transfer>({
    ...request,
    id,
    object: 'transfer',
    amount_reversed: 0,
    balance_transaction: moved.id,
    covered: 0,
    created: seconds(world.now()),
    livemode: false,
    reversed: false,
  });
  world.publish('transfer.created', transfer);
  return transfer;
}

export function reverse(
  world: World,
  transfer: Transfer,
  { amount, ...about }: Pick<TransferReversal, 'amount' | 'metadata' | 'source_refund'>,
): TransferReversal {
  const id = world.newId('trr_1');
  const amount_reversed = transfer.amount_reversed + amount;
  const { currency } = transfer;
  const moved = recordBalance(world, { type: 'transfer_refund', source: id, amount, currency, category: 'transfer_reversal' });
  const changed = world.books.put<Transfer>({ ...transfer, amount_reversed, reversed: amount_reversed === transfer.amount });
  const reversal = world.books.put<TransferReversal>({
    ...about,
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: moved.id,
    created: seconds(world.now()),
    currency,
    transfer: transfer.id,
  });
  world.publish('transfer.reversed', changed, { previous: { amount_reversed: transfer.amount_reversed, reversed: transfer.reversed } });
  return reversal;
}
