import type { DataOf, queueCalled } from '@corner/contracts';
import { type EventContent, noMessage } from './content.ts';

/** It is the customer's turn. The message expires with the hold on their place. */
export function contentForQueueCalled(entry: Entry): EventContent {
  const topic = entryTopic(entry);
  const { hold_until } = entry;
  if (!hold_until) return noMessage(topic);
  return {
    supersedes: [topic],
    message: { template: 'queue.called', data: { hold_until }, topic, channel: 'push', waitSeconds: 0, expiresAt: hold_until },
  };
}

export const contentForQueueNoShow = (entry: Entry): EventContent => ({
  supersedes: [entryTopic(entry)],
  message: { template: 'queue.no_show', data: {}, topic: entryTopic(entry), channel: 'push', waitSeconds: 0, expiresAt: null },
});

/** Any other move makes no message: the customer is present. A call that has not been sent yet is out of date. */
export const contentForQueueMove = (entry: Entry): EventContent => noMessage(entryTopic(entry));

type Entry = DataOf<typeof queueCalled>;

const entryTopic = ({ entry_ref }: Entry) => `queue:${entry_ref}`;
