import type { Operation } from '@corner/chassis';
import type { orders } from '@corner/contracts';
import type { Context } from '../context.ts';
import { writeOwnStory, writeStoreStory } from './sagas.ts';

/** Returns what happened to an order of the store. */
export const readOrderStory: Operation<typeof orders.readOrderStory, Context> = ({ params, query }, context) =>
  writeStoreStory(context, params.orderId, query.store_id, query.language);

/** Returns what happened to one of the caller's orders, without a name. */
export const readMyOrderStory: Operation<typeof orders.readMyOrderStory, Context> = ({ params, query, caller }, context) =>
  writeOwnStory(context, params.orderId, caller.id, query.language);
