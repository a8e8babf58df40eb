import { sql } from 'slonik';
import { z } from 'zod';
import type { Running } from '../running.ts';

type Books = ReturnType<Running['payments']['books']>;

const Entered = z.object({
  id: z.string(),
  total_pence: z.number(),
  application_fee_pence: z.number(),
  ledger: z.record(z.string(), z.number()),
});
type Entered = z.output<typeof Entered>;

/** Lists entries of the provider's books that the ledger lacks for a store's orders. For use when nothing is running. */
export async function differencesFromProvider({ payments, service }: Running, storeId: string): Promise<string[]> {
  const books = payments.books();
  const orders = await service.database.any(sql.type(Entered)`
    select o.id, o.total_pence, o.application_fee_pence,
      coalesce((select jsonb_object_agg(g.kind, g.pence) from (
        select case when kind in ('refund', 'refund_failed') then 'refunds' else kind end as kind, sum(amount_pence)::int as pence
        from ledger where order_id = o.id group by 1) g), '{}') as ledger
    from orders o where o.store_id = ${storeId} and o.parent_order_id is null and o.total_pence > 0`);
  return orders.flatMap((order) => {
    const paper = papersOf(books, order.id);
    const moved = movementsOf(books, paper);
    const kinds = [...new Set([...Object.keys(moved), ...Object.keys(order.ledger)])];
    return [
      ...kinds
        .filter((kind) => (moved[kind] ?? 0) !== (order.ledger[kind] ?? 0))
        .map((kind) => `the ledger of ${order.id} has ${order.ledger[kind] ?? 0} of ${kind}, the provider ${moved[kind] ?? 0}`),
      ...(paper.intents.filter(({ status }) => status === 'succeeded').length > 1 ? [`an order was charged twice: ${order.id}`] : []),
      ...paper.intents
        .filter(({ status }) => status !== 'canceled' && status !== 'succeeded')
        .map(({ id, status }) => `an order that has ended can still be paid: ${order.id} by ${id}, which is ${status}`),
      ...wrongShare(order, paper),
    ];
  });
}

function papersOf(books: Books, orderId: string) {
  const intents = books.intents.filter(({ metadata }) => metadata.order_id === orderId);
  const ids = new Set(intents.map(({ id }) => id));
  const isOurs = ({ payment_intent }: { readonly payment_intent: string | null }) => payment_intent !== null && ids.has(payment_intent);
  const charges = books.charges.filter((charge) => isOurs(charge) && charge.captured);
  const transfers = books.transfers.filter(({ transfer_group }) => transfer_group === orderId);
  return {
    intents,
    charges,
    refunds: books.refunds.filter(isOurs),
    disputes: books.disputes.filter(isOurs),
    transfers,
    reversals: books.transferReversals.filter((reversal) => transfers.some(({ id }) => id === reversal.transfer)),
    fees: books.applicationFees.filter((fee) => charges.some(({ id }) => id === fee.charge)),
  };
}
type Papers = ReturnType<typeof papersOf>;

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const amountsOf = (things: readonly { readonly amount: number }[]): number[] => things.map(({ amount }) => amount);

function movementsOf(books: Books, { charges, refunds, disputes, transfers, reversals }: Papers): Readonly<Record<string, number>> {
  const about = (things: readonly { readonly id: string }[]) =>
    books.balanceTransactions.filter(({ source }) => things.some(({ id }) => id === source));
  const disputed = about(disputes);
  return {
    charge: sum(amountsOf(about(charges))),
    refunds: sum(amountsOf(about(refunds))),
    dispute: sum(amountsOf(disputed.filter(({ amount }) => amount < 0))),
    dispute_returned: sum(amountsOf(disputed.filter(({ amount }) => amount > 0))),
    dispute_fee: sum(disputed.map(({ fee }) => -fee)),
    transfer_reversal: sum(amountsOf(reversals.filter(({ source_refund }) => source_refund === null))),
    transfer: -sum(amountsOf(transfers.filter(({ source_transaction }) => source_transaction === null))),
  };
}

/** An unrefunded payment leaves the store its total less the fee, and nothing while it is disputed or after that was lost. */
function wrongShare(
  { id, total_pence, application_fee_pence }: Entered,
  { charges, refunds, disputes, transfers, fees }: Papers,
): string[] {
  if (charges.length !== 1 || refunds.length > 0) return [];
  const kept =
    sum(transfers.map(({ amount, amount_reversed }) => amount - amount_reversed)) -
    sum(fees.map(({ amount, amount_refunded }) => amount - amount_refunded));
  const isGone = disputes.some(({ status }) => ['needs_response', 'under_review', 'lost'].includes(status));
  const due = isGone ? 0 : total_pence - application_fee_pence;
  return kept === due ? [] : [`the store has ${kept} of ${id} instead of ${due}: ${JSON.stringify(disputes)}`];
}
