import { awardOrder, type Envelope, releaseVoucher, reserveVoucher } from '@corner/contracts';
import { expiredEvent, paidOrder } from '../events.ts';
import type { Running } from '../running.ts';
import { disputeOf, type EventToPublish, type KnownOrder, newOrder, paidOf, refundFailureOf, refundOf } from './orders.ts';
import type { StepOf } from './steps.ts';

type OrderStep = 'order' | 'pay' | 'refund' | 'refundFails' | 'dispute' | 'arrive' | 'again' | 'giveUp';

interface ShopAccess {
  readonly running: Running;
  storeAt(index: number): string;
  customer(index: number): string;
  back<T>(list: readonly T[], index: number): T | undefined;
  vouchersOf(customerId: string): Promise<readonly string[]>;
  readonly wrong: string[];
}

/** Stands in for the orders service: it calls RPCs and publishes events as that does, late, twice and out of order. */
export function orderService({ running, storeAt, customer, back, vouchersOf, wrong }: ShopAccess) {
  const orders: KnownOrder[] = [];
  const published: Envelope[] = [];
  const late: EventToPublish[] = [];
  let unprocessed: Envelope[] = [];
  const publish = async (envelope: Envelope) => {
    published.push(envelope);
    unprocessed.push(envelope);
    await running.publish(envelope);
  };
  const publishNowOrLater = async (publication: EventToPublish | null | undefined, later = false) => {
    if (!publication) return;
    if (later) return void late.push(publication);
    await publish(publication.envelope);
    publication.then();
  };
  const steps: { readonly [D in OrderStep]: (step: StepOf<D>) => Promise<unknown> } = {
    async order({ who, pence, voucher, at }) {
      const storeId = storeAt(at);
      const voucherId = voucher === null ? null : (back(await vouchersOf(customer(who)), voucher) ?? null);
      const paid = paidOrder(storeId, customer(who), { total_pence: pence, net_of_tip_pence: pence, voucher_id: voucherId });
      if (voucherId) {
        const until = new Date(running.clock.now().getTime() + 25 * 60_000).toISOString();
        const { order_id, customer_id } = paid;
        const { problem } = await running.call(reserveVoucher, {
          order_id,
          voucher_id: voucherId,
          customer_id,
          store_id: storeId,
          until,
          asked_at: running.clock.now().toISOString(),
        });
        if (problem === 'VOUCHER_NOT_FOUND') wrong.push('a customer’s own voucher is not found');
        if (problem) return;
      }
      orders.push(newOrder(paid));
    },
    async pay({ order: index, byRpc, byEvent }) {
      const order = back(orders, index);
      if (!order) return;
      order.reported = true;
      await Promise.all([byRpc || !byEvent ? running.call(awardOrder, order.paid) : null, byEvent ? publish(paidOf(order)) : null]);
    },
    async refund({ order: index, share, late: later }) {
      const order = back(orders, index);
      await publishNowOrLater(order && refundOf(order, share), later);
    },
    async refundFails({ order: index, late: later }) {
      const order = back(orders, index);
      await publishNowOrLater(order && refundFailureOf(order), later);
    },
    async dispute({ order: index, which, state, share, late: later }) {
      const order = back(orders, index);
      await publishNowOrLater(order && disputeOf(order, `du_${which}`, state, share), later);
    },
    arrive: ({ event }) => publishNowOrLater(late.splice(event % Math.max(1, late.length), 1)[0]),
    async again({ event }) {
      const envelope = back(published, event);
      if (envelope) await running.publish(envelope);
    },
    async giveUp({ order: index, how }) {
      const order = back(orders, index);
      if (!order?.paid.voucher_id || order.reported || order.sequence > 2) return;
      const { order_id, voucher_id } = order.paid;
      if (how === 'expired') await publish(expiredEvent(order.paid));
      else
        await running.call(releaseVoucher, {
          order_id,
          voucher_id,
          store_id: order.paid.store_id,
          asked_at: running.clock.now().toISOString(),
        });
    },
  };
  const processed = async () => {
    const waiting = unprocessed;
    unprocessed = [];
    await running.processed(...waiting);
  };
  return { orders: orders as readonly KnownOrder[], steps, publish, processed };
}
