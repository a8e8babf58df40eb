import { recordBalance } from './balance.ts';
import { badParameter } from './refusal.ts';
import { reverse } from './send-transfer.ts';
import type { ApplicationFee, Charge, FeeRefund, Transfer } from './stripe-shapes.ts';
import { seconds, type World } from './world.ts';

interface Share {
  make(): string;
}

export function reverseTransfer(world: World, charge: Charge, refunded: number, refundId: string): Share {
  const param = 'reverse_transfer';
  const transfer = charge.transfer === null ? undefined : world.books.get('transfer', charge.transfer);
  if (!transfer) throw badParameter(param, `Cannot reverse transfer: charge ${charge.id} does not have an associated transfer.`);
  const covered = transfer.covered + refunded;
  if (covered > charge.amount_captured) throw badParameter(param, `Too little of transfer ${transfer.id} is left to reverse.`);
  const amount = shareOf(transfer.amount, covered, charge) - shareOf(transfer.amount, transfer.covered, charge);
  if (transfer.amount_reversed + amount > transfer.amount) {
    throw badParameter(param, `Too little of transfer ${transfer.id} is left to reverse.`);
  }
  return {
    make: () => reverse(world, world.books.put<Transfer>({ ...transfer, covered }), { amount, metadata: {}, source_refund: refundId }).id,
  };
}

export function refundFee(world: World, charge: Charge, refunded: number): Share {
  const fee = charge.application_fee === null ? undefined : world.books.get('application_fee', charge.application_fee);
  if (!fee) {
    throw badParameter('refund_application_fee', `Attempting to refund_application_fee on ${charge.id}, but it has no application fee`);
  }
  const covered = Math.min(fee.covered + refunded, charge.amount_captured);
  const returned = shareOf(fee.amount, covered, charge);
  return {
    make() {
      const id = world.newId('fr_');
      const amount = returned - fee.amount_refunded;
      const changed = world.books.put<ApplicationFee>({ ...fee, amount_refunded: returned, refunded: returned === fee.amount, covered });
      world.publish('application_fee.refunded', changed, { previous: { amount_refunded: fee.amount_refunded, refunded: fee.refunded } });
      const { currency } = charge;
      return world.books.put<FeeRefund>({
        id,
        object: 'fee_refund',
        amount,
        balance_transaction: recordBalance(world, { type: 'application_fee_refund', source: id, amount: -amount, currency }).id,
        created: seconds(world.now()),
        currency: charge.currency,
        fee: fee.id,
        metadata: {},
      }).id;
    },
  };
}

/** Rounds the running total, not each part, so that parts that add up to the whole return exactly the whole. */
const shareOf = (whole: number, covered: number, charge: Charge): number => Math.round((whole * covered) / charge.amount_captured);
