import { type OutboxEntry, outboxEntry, type Publisher, publish, type Queries, type Transaction } from '@corner/chassis';
import { type Canceller, depositPaid, orderCancelled, orderExpired, orderFulfilmentChanged, orderPaid } from '@corner/contracts';
import { collectionCodes } from '../order/crypto.ts';
import { nextVersionOf, orderFields } from '../order/rules/event-fields.ts';
import { isUnpaid } from '../order/rules/status.ts';
import { drawerOf, isInCash, type TakenTenders, tenderRef, tendersInWords } from '../order/rules/tenders.ts';
import { holdKinds, releaseHolds } from '../order/tables/holds.ts';
import { findParts, lockOpenDrawer, type Part, returnParts } from '../order/tables/ledger.ts';
import { appendLog } from '../order/tables/log.ts';
import { familyIds, lockFamily, type OrderRow } from '../order/tables/orders.ts';
import { firstLook, isFirst, type PaidPart, paidParts } from './rules.ts';
import type { PayableOrder } from './tables/payable-orders.ts';
import { type Charge, LostRace, writeAcceptedPayment, writeUnpaidEnd } from './tables/write-payment.ts';

/** `before`: the parts that were paid before. */
export interface TenderCharge extends TakenTenders {
  readonly drawerId: string | null;
  readonly before?: readonly Omit<Part, 'is_returned'>[];
}

export interface ReportedCharge extends Charge {
  readonly eventIds: readonly string[];
  readonly taken?: TenderCharge;
}

/**
 * Marks an unpaid order and its legs as paid, in one statement, and returns it. The caller has taken an expired order's holds again.
 * Publishes order.paid, deposit.paid for a deposit and, where the store accepts orders at once, order.fulfilment_changed for each part to collect. Throws {@link
 * LostRace}, having changed nothing, when another request changed the order since it was read: see {@link repeatAfterRace}.
 */
export async function acceptPayment(
  queries: Pick<Queries, 'any'> & Publisher,
  order: PayableOrder,
  { storeId, orderId, intentId, amountPence, eventIds, taken }: ReportedCharge,
  at: Date,
): Promise<PayableOrder> {
  const parts = paidParts(order, collectionCodes(1 + order.legs.length), at);
  const written = await writeAcceptedPayment(queries, {
    storeId,
    orderId,
    charges: taken ? [...(taken.before ?? []), ...chargesOf(taken)] : [{ provider_ref: intentId, amount_pence: amountPence }],
    amountPence,
    parts,
    autoAccept: order.auto_accept,
    lookAt: firstLook(order, at),
    entry: taken ? entryOfTenders(taken, order.currency) : entryOfPayment(order.payment_status === 'expired'),
    eventIds,
    sellerVersion: order.seller_version,
    events: eventsOfPayment(order, parts, taken, at),
    at,
  });
  const asPaid = <Part extends { readonly id: string }>(part: Part) => ({ ...part, ...written.find(({ id }) => id === part.id) });
  return { ...asPaid(order), legs: order.legs.map(asPaid) };
}

export const chargesOf = ({ tenders, attempt, by, drawerId }: TenderCharge) =>
  tenders.map((part, n) => ({ ...part, provider_ref: tenderRef(attempt, n), by_id: by.id, drawer_id: drawerOf(part, drawerId) }));

const entryOfTenders = ({ tenders, by, before = [] }: TenderCharge, currency: string) => ({
  title: 'Paid at the counter',
  detail: tendersInWords([...before, ...tenders], currency),
  actor: by.name,
  actorId: by.id,
});

const entryOfPayment = (isLate: boolean) => ({
  title: 'Payment was received',
  detail: isLate ? 'It came after the order had ended; everything in it was still available.' : null,
  actor: null,
  actorId: null,
});

function eventsOfPayment(
  order: PayableOrder,
  parts: readonly PaidPart[],
  taken: TenderCharge | undefined,
  at: Date,
): readonly OutboxEntry[] {
  const paid = outboxEntry(orderPaid, {
    ...nextVersionOf(order),
    data: {
      ...orderFields(order),
      paid_at: at.toISOString(),
      total_pence: order.total_pence,
      tip_pence: order.tip_pence,
      net_of_tip_pence: order.total_pence - order.tip_pence,
      currency: order.currency,
      voucher_id: order.voucher_id,
      promo_code: order.promo_code,
      is_first: isFirst(order),
      leg_ids: order.legs.map(({ id }) => id),
      channel: order.channel,
      tenders: taken
        ? [...(taken.before ?? []), ...taken.tenders].map(({ tender, amount_pence }) => ({ kind: tender, amount_pence }))
        : [{ kind: order.total_pence > 0 ? 'provider' : 'none', amount_pence: order.total_pence }],
    },
  });
  const accepted = parts.filter(({ order_type }) => order.auto_accept && order_type === 'collect');
  return [
    paid,
    ...depositOf(order, at),
    ...accepted.map((part) => {
      const { store_id, customer_id, without_customer } = order;
      const changed = { ...part, store_id, customer_id, without_customer };
      const move = { from: null, to: 'accepted', at: at.toISOString(), collection_code: part.collection_code } as const;
      return outboxEntry(orderFulfilmentChanged, { ...nextVersionOf(changed), data: { ...orderFields(changed), ...move } });
    }),
  ];
}

function depositOf(order: PayableOrder, at: Date): readonly OutboxEntry[] {
  const [line] = order.lines;
  if (order.booking_ref === null || !line) return [];
  const data = { ...orderFields(order), booking_ref: order.booking_ref, menu_item_id: line.menu_item_id, paid_at: at.toISOString() };
  return [outboxEntry(depositPaid, { ...nextVersionOf(order), data })];
}

const mostRaces = 10;

/** Repeats work that pays an order when it throws {@link LostRace}. A repeated run must read the order again. */
export async function repeatAfterRace<T>(work: (isRepeated: boolean) => Promise<T>): Promise<T> {
  for (let n = 1; ; n += 1) {
    try {
      return await work(n > 1);
    } catch (error) {
      if (!(error instanceof LostRace) || n === mostRaces) throw error;
    }
  }
}

export interface UnpaidEnd {
  readonly storeId: string;
  readonly orderId: string;
  readonly as: 'expired' | 'cancelled';
  readonly title: string;
  /** The person who ended it, by name and id; null or absent when the service did. */
  readonly actor?: string | null;
  readonly actorId?: string | null | undefined;
  /** Who cancelled it; the store when absent. */
  readonly by?: Canceller | undefined;
  readonly reason?: string | null;
}

/**
 * Ends an order that was never paid, with its legs, and releases their holds. An order that is no longer unpaid stays as it is, and one of
 * which a part was paid does not expire. The caller ensures that its payment intent can no longer succeed. A cancellation gives back the
 * parts that were paid at the counter. Publishes order.expired or order.cancelled.
 */
export async function endUnpaidOrder(tx: Transaction, end: UnpaidEnd): Promise<void> {
  const { storeId, orderId, as, title, actor, actorId, reason, by = 'store' } = end;
  const family = await lockFamily(tx, storeId, orderId);
  if (!family || !isUnpaid(family.main)) return;
  const { main } = family;
  const parts = main.channel === 'phone' ? [] : await findParts(tx, orderId);
  if (as === 'expired' && parts.length > 0) return;
  const orderIds = familyIds(family);
  await writeUnpaidEnd(tx, orderIds, as, by);
  await releaseHolds(tx, { storeId, orderIds, kinds: holdKinds });
  const detail = [reason, await giveBackParts(tx, main, parts, actorId ?? null)].filter(Boolean).join(' ') || null;
  await appendLog(tx, { storeId, orderId: main.id, kind: as, title, detail, actor: actor ?? null, actorId });
  const data = { ...orderFields(main), voucher_id: main.voucher_id, was_paid: false, reason: reason ?? null };
  if (as === 'expired') await publish(tx, orderExpired, { ...nextVersionOf(main), data });
  else await publish(tx, orderCancelled, { ...nextVersionOf(main), data: { ...data, by } });
}

/** Cash goes out of the open drawer, a partner's out of its own. Returns what was given back, in words; null for nothing. */
async function giveBackParts(tx: Transaction, order: OrderRow, parts: readonly Part[], byId: string | null): Promise<string | null> {
  if (parts.length === 0) return null;
  const isOfDrawer = order.channel === 'counter' && isInCash(parts);
  await returnParts(tx, order.id, byId, isOfDrawer ? await lockOpenDrawer(tx, order.store_id) : null);
  return `Given back: ${tendersInWords(
    parts.map((part) => ({ ...part, given_pence: null })),
    order.currency,
  )}`;
}
