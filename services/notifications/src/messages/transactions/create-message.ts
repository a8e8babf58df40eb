import { type EventHandler, on, type Transaction } from '@corner/chassis';
import type { DataOf, EventContract, EventOf } from '@corner/contracts';
import type { Context } from '../../context.ts';
import type { News } from '../rules/content.ts';
import { keepErrand } from '../tables/messages.ts';

/**
 * A reaction that makes an errand of what an event is to its customer, in the transaction it is heard in. Somebody without an
 * account has no address, and gets no message.
 */
export const errandOn = <E extends EventContract>(event: E, newsOf: (data: DataOf<E>) => News): EventHandler<Context> =>
  on<E, Context>(event, async (heard: EventOf<E>, tx: Transaction, { newId, now, errands }) => {
    const { outdates, message } = newsOf(heard.data);
    const { id: eventId, sequence, customerid: customerId, storeid: storeId } = heard;
    const errand = message && customerId && storeId ? { ...message, id: newId(), customerId, storeId } : null;
    await keepErrand(tx, { eventId, sequence, outdates, errand, at: now() });
    if (errand) tx.on('commit', errands.raise);
  });
