import type { Operation } from '@corner/chassis';
import type { orders } from '@corner/contracts';
import type { Context } from '../context.ts';
import { writeOwnStory, writeStoreStory } from './sagas.ts';

export const readOrderStory: Operation<typeof orders.readOrderStory, Context> = ({ params, query }, context) =>
  writeStoreStory(context, params.orderId, query.store_id, query.language);

export const readMyOrderStory: Operation<typeof orders.readMyOrderStory, Context> = ({ params, query, caller }, context) =>
  writeOwnStory(context, params.orderId, caller.id, query.language);
