import type { Statement } from '../books.ts';

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/**
 * The platform's balance as it follows from what happened, without the balance transactions: for pounds only, with the simulator's
 * fees of 1.5 % and 20 for a charge and 2000 for a dispute.
 */
export function expectedBalance({ charges, refunds, transfers, applicationFees, disputes, payouts }: Statement): number {
  const taken = charges.filter(({ captured }) => captured).map(({ amount_captured }) => amount_captured);
  const withdrawn = disputes.filter(({ status }) => !status.startsWith('warning_'));
  return (
    sum(taken) -
    sum(taken.map((amount) => Math.round(amount * 0.015) + 20)) -
    sum(refunds.filter(({ status }) => status !== 'failed').map(({ amount }) => amount)) -
    sum(transfers.map(({ amount, amount_reversed }) => amount - amount_reversed)) +
    sum(applicationFees.map(({ amount, amount_refunded }) => amount - amount_refunded)) -
    sum(withdrawn.map(({ amount, status }) => (status === 'won' ? 0 : amount) + 2_000)) -
    sum(payouts.filter(({ account }) => account === null).map(({ amount }) => amount))
  );
}
