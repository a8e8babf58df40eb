import { RpcUnavailable } from '@corner/chassis';
import { type Language, Problem, readOrderMessages, readOrderStamps } from '@corner/contracts';
import type { Context } from '../context.ts';
import { earnedStamps, unpaidReason } from './rules/earned-stamps.ts';
import type { RecordedOrder } from './rules/facts.ts';
import { storyOf } from './rules/story.ts';
import { type Reader, readRecords } from './tables.ts';
import { entryOf, stampsIn } from './texts/write-story.ts';

/**
 * Returns the story of a store's order, and what it earned. Loyalty and notifications are called at once, outside a transaction; `missing`
 * names one that does not reply. Throws ORDER_NOT_FOUND for an order of another store.
 */
export async function writeStoreStory(context: Context, orderId: string, storeId: string, language: Language) {
  const { order, facts, ...story } = await gatherStory(context, orderId, { storeId });
  const reader = { language, order, isCustomer: false };
  const entries = facts.map((fact) => ({ ...entryOf(fact, reader), by_name: fact.by_name, note: fact.note }));
  return { order_id: order.id, entries, ...story, stamps: stampsIn(story.stamps, reader) };
}

/** Returns the story of a customer's order, without the names and notes of staff. Throws ORDER_NOT_FOUND for another customer's order. */
export async function writeOwnStory(context: Context, orderId: string, customerId: string, language: Language) {
  const { order, facts, ...story } = await gatherStory(context, orderId, { customerId });
  const reader = { language, order, isCustomer: true };
  const entries = facts.map((fact) => entryOf({ ...fact, by_name: null, note: null }, reader));
  return { order_id: order.id, entries, ...story, stamps: stampsIn(story.stamps, reader) };
}

async function gatherStory(context: Context, orderId: string, reader: Reader) {
  const order = await readRecords(context.database, orderId, reader);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  const [loyalty, messages] = await Promise.all([askLoyalty(order, context), askNotifications(order, context)]);
  const missing = [
    ...(loyalty === undefined ? (['loyalty'] as const) : []),
    ...(messages === undefined ? (['notifications'] as const) : []),
  ];
  const facts = storyOf(order, loyalty ?? null, messages ?? null);
  return { order, facts, stamps: earnedStamps(order, loyalty ?? null), missing };
}

/** Null when loyalty has nothing on an order, since it was not paid in time. Undefined when loyalty does not reply. */
const askLoyalty = async (order: RecordedOrder, { call }: Context) => {
  if (unpaidReason(order)) return null;
  const { id: order_id, customer_id, voucher_id } = order;
  return await orUndefined(call(readOrderStamps, { order_id, customer_id, voucher_id }));
};

const askNotifications = async ({ customer_id, parts, refunds }: RecordedOrder, { call }: Context) => {
  const order_ids = parts.slice(0, mostIds.orders).map(({ id }) => id);
  const refund_ids = refunds.slice(0, mostIds.refunds).map(({ id }) => id);
  return (await orUndefined(call(readOrderMessages, { order_ids, customer_id, refund_ids })))?.messages;
};

const mostIds = { orders: 50, refunds: 100 };

async function orUndefined<T>(reply: Promise<T>): Promise<T | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof RpcUnavailable) return undefined;
    throw error;
  }
}
