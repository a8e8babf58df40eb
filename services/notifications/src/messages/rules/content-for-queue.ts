import type { DataOf, queueCalled } from '@corner/contracts';
import { type EventContent, noMessage } from './content.ts';

export function contentForQueueCalled(entry: Entry): EventContent {
  const topic = entryTopic(entry);
  const { hold_until } = entry;
  if (!hold_until) return noMessage(topic);
  return {
    supersedes: [topic],
    message: { template: 'queue.called', data: { hold_until }, topic, ...immediate(entry), expiresAt: hold_until },
  };
}

export const contentForQueueNoShow = (entry: Entry): EventContent => contentWithoutData(entry, 'queue.no_show');

/** Sent only to those who got the call that the store took back. */
export function contentForQueueRecalled(entry: Entry): EventContent {
  const topic = entryTopic(entry);
  return {
    supersedes: [topic],
    message: { template: 'queue.recalled', data: {}, topic, ...immediate(entry), expiresAt: null, corrects: 'queue.called' },
  };
}

export const contentForQueueLeft = (entry: Entry): EventContent =>
  entry.left_by === 'closing' ? contentWithoutData(entry, 'queue.closed') : contentForQueueMove(entry);

/** Any other move makes no message, because the customer is in the store, but supersedes a call that has not been sent. */
export const contentForQueueMove = (entry: Entry): EventContent => noMessage(entryTopic(entry));

type Entry = DataOf<typeof queueCalled>;

const contentWithoutData = (entry: Entry, template: 'queue.no_show' | 'queue.closed'): EventContent => ({
  supersedes: [entryTopic(entry)],
  message: { template, data: {}, topic: entryTopic(entry), ...immediate(entry), expiresAt: null },
});

const immediate = ({ entry_ref }: Entry) => ({ channel: 'push', waitSeconds: 0, entryRef: entry_ref }) as const;

const entryTopic = ({ entry_ref }: Entry) => `queue:${entry_ref}`;
