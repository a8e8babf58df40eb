import { type Operation, publish, RpcUnavailable } from '@corner/chassis';
import { orderRunningLate, type orders, Problem, type RpcOutput, reachCustomer } from '@corner/contracts';
import type { Context } from '../context.ts';
import { noticeWindowSeconds, revisedEta } from '../rules/eta.ts';
import { keepNotice, noticeOf } from '../tables/delay-notices.ts';
import { appendLog } from '../tables/log.ts';
import { lockFamily, namesOf, nextOf, type OrderRow } from '../tables/orders.ts';

/**
 * Writes down that an order will be later and tells the customer. The revised time stands beside the booked and the actual one. The
 * same notice again within a minute is a double tap and changes nothing; another one changes the time, and is told when the minute
 * is over.
 */
export const notifyDelay: Operation<typeof orders.notifyDelay, Context> = async ({ caller, params, body }, context) => {
  const { database, now } = context;
  const { reply, told } = await database.transaction(async (tx): Promise<Noticed> => {
    const family = await lockFamily(tx, body.store_id, params.orderId);
    if (!family) throw new Problem('ORDER_NOT_FOUND');
    const order = family.named;
    refuseEnded(order);
    const at = now();
    const note = body.note || null;
    const wish = JSON.stringify([body.delayMinutes ?? null, body.newReadyAt ?? null, note]);
    const last = await noticeOf(tx, order.store_id, order.id, order.customer_id);
    const recent = last.told_at !== null && at.getTime() < Date.parse(last.told_at) + noticeWindowSeconds * 1000;
    // The minute of what is owed lasts until that is told, which may be a little later.
    if ((recent || last.owed) && wish === last.wish) {
      const newEta = order.revised_ready_at && new Date(order.revised_ready_at).toISOString();
      return { told: null, reply: { ok: true, newEta, notified: 'none', channel_detail: 'deduplicated' } };
    }
    const eta = revisedEta(order, body, at);
    const newEta = eta.toISOString();
    await keepNotice(tx, { orderId: order.id, storeId: order.store_id, eta, wish, note, toldAt: recent ? null : at });
    await appendLog(tx, {
      storeId: order.store_id,
      orderId: order.id,
      at,
      kind: 'running_late',
      title: `Running late: expected at ${timeIn(last.time_zone, eta)}`,
      detail: note,
      actor: caller.name,
    });
    if (recent) {
      const channel_detail = 'told when a minute has passed since the last notice';
      return { told: null, reply: { ok: true, newEta, notified: 'none', channel_detail } };
    }
    await publish(tx, orderRunningLate, { ...nextOf(order), data: { ...namesOf(order), new_eta: newEta, note } });
    return { told: order, reply: { ok: true, newEta, notified: last.has_push ? 'push' : last.has_email ? 'email' : 'none' } };
  });
  return told ? { ...reply, notified: (await reachOf(told, context)) ?? reply.notified } : reply;
};

/** What is answered, and the order when its customer is told now. */
interface Noticed {
  readonly told: OrderRow | null;
  readonly reply: {
    readonly ok: true;
    readonly newEta: string | null;
    readonly notified: Reach;
    readonly channel_detail?: string;
  };
}
type Reach = RpcOutput<typeof reachCustomer>['channel'];

/** The way the notice reaches the customer. Null when notifications does not say: then what orders knows of the customer has to do. */
async function reachOf({ customer_id, store_id }: OrderRow, { call, log }: Context): Promise<Reach | null> {
  try {
    return (await call(reachCustomer, { customer_id, store_id })).channel;
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    log.warn({ err: error }, 'notifications does not say how a customer is reached');
    return null;
  }
}

function refuseEnded({ payment_status, business_status }: OrderRow): void {
  if (business_status === 'fulfilled' || business_status === 'cancelled' || payment_status === 'expired')
    throw new Problem('ORDER_TERMINAL');
  if (payment_status !== 'paid') throw new Problem('ORDER_NOT_PAID');
}

const timeIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
