import { type Operation, RpcUnavailable } from '@corner/chassis';
import { type orders, type RpcOutput, reachCustomer } from '@corner/contracts';
import type { Context } from '../context.ts';
import { notifyDelay as noteDelay } from '../transactions/notify-delay.ts';

/**
 * Notes that an order will be late, and notifies the customer. The same notice again within a minute is a double tap and changes
 * nothing; a different one changes the time, and the customer is notified when the minute is over.
 */
export const notifyDelay: Operation<typeof orders.notifyDelay, Context> = async ({ caller, params, body }, context) => {
  const noted = await context.database.transaction((tx) =>
    noteDelay(tx, {
      storeId: body.store_id,
      orderId: params.orderId,
      delayMinutes: body.delayMinutes,
      newReadyAt: body.newReadyAt,
      note: body.note || null,
      actor: caller.name,
    }),
  );
  const reply = { ok: true, newEta: noted.readyAt } as const;
  if (noted.outcome === 'ignored') return { ...reply, notified: 'none', channel_detail: 'deduplicated' };
  if (noted.outcome === 'deferred') {
    return { ...reply, notified: 'none', channel_detail: 'sent when a minute has passed since the last notice' };
  }
  return { ...reply, notified: (await fetchChannel(noted.customerId, body.store_id, context)) ?? noted.channel };
};

/** The channel over which notifications reaches the customer; null when it does not reply. */
async function fetchChannel(
  customerId: string,
  storeId: string,
  { call, log }: Context,
): Promise<RpcOutput<typeof reachCustomer>['channel'] | null> {
  try {
    return (await call(reachCustomer, { customer_id: customerId, store_id: storeId })).channel;
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    log.warn({ err: error }, 'notifications did not say how the customer can be reached');
    return null;
  }
}
