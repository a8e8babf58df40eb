import { handleRpc, publishRead } from '@corner/chassis';
import {
  listMessages,
  type MessageSummary,
  marketingAsk,
  namedByConsole,
  type OrderMessage,
  orderMessages,
  reachCustomer,
  readOrderMessages,
} from '@corner/contracts';
import type { Context } from '../context.ts';
import { maskAddress } from './rules/channels.ts';
import { orderIdIn, orderTopics, refundTopic } from './rules/content-for-orders.ts';
import { maxMarketingAsks } from './rules/preferences.ts';
import { reachableBy } from './sagas/send-message.ts';
import { countMessages, type Page, selectMessagesOnTopics, selectNewestMessages } from './tables/message-lists.ts';
import { readMarketingState } from './tables/preferences.ts';

/** A customer is asked twice at most, and not once they have opted in. Changes nothing. */
export const handleMarketingAsk = handleRpc(marketingAsk, async ({ customer_id, store_id }, { database }: Context) => ({
  ask: !(await readMarketingState(database, { customerId: customer_id, storeId: store_id }, maxMarketingAsks)).decided,
}));

/** No preference switches messages about an order off. */
export const handleReachCustomer = handleRpc(reachCustomer, async ({ customer_id }, context: Context) => ({
  channel: await reachableBy(customer_id, context),
}));

const pageSize = 50;

/** A list about a customer or an order is recorded as read; a general one, which an operator's page polls, is not. */
export const handleListMessages = handleRpc(listMessages, async ({ order_id, by, role, ...query }, { database, now }: Context) => {
  const [{ messages, next }, counts] = await Promise.all([
    database.transaction(async (tx) => {
      const page =
        order_id === undefined
          ? await selectNewestMessages(tx, query, pageSize + 1)
          : await selectMessagesOnTopics(tx, orderTopics(order_id), query, pageSize + 1);
      const listed = page.messages.slice(0, pageSize).map(summaryOf);
      if (order_id !== undefined || query.customer_id !== undefined)
        await publishRead(tx, { by: readerOf(by, role), what: 'messages', shown: listed });
      return { messages: listed, next: page.messages.length > pageSize ? listed.at(-1)?.message_id : page.examined_to };
    }),
    countMessages(database, new Date(now().getTime() - 86_400_000)),
  ]);
  return { messages, next: next ?? null, counts: [...counts] };
});

function readerOf(by: string, role: 'merchant' | 'staff' | undefined) {
  const person = namedByConsole(by);
  return role && person !== undefined ? { kind: role, id: person } : ({ kind: 'operator', id: by } as const);
}

function summaryOf({ topic, email, phone, devices, ...message }: Page['messages'][number]): MessageSummary {
  const address = { email, sms: phone, push: devices[0]?.id ?? null }[message.channel];
  return { ...message, order_id: orderIdIn(topic), masked_address: maskAddress(message.channel, address) };
}

/** Omits messages that are still to be sent or were replaced by a newer one. */
export const handleReadOrderMessages = handleRpc(
  readOrderMessages,
  async ({ order_ids, refund_ids, customer_id }, { database }: Context) => {
    const topics = [...order_ids.flatMap(orderTopics), ...refund_ids.map((refund_id) => refundTopic({ refund_id }))];
    const { messages } = await selectMessagesOnTopics(database, topics, { customer_id }, pageSize);
    return {
      messages: messages.flatMap(({ type, channel, state, created_at, sent_at }) => {
        const about = aboutOf(type);
        const isKnown = about !== undefined && (state === 'sent' || state === 'failed' || state === 'muted');
        return isKnown ? [{ at: sent_at ?? created_at, about, channel, state }] : [];
      }),
    };
  },
);

const aboutOf = (template: string): OrderMessage | undefined =>
  orderMessages.find((about) => template === (about === 'receipt' ? 'order.paid' : `order.${about}`));
