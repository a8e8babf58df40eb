import type { CustomerTemplate, StoredData, StoreTemplate, TemplateData } from './template-data.ts';

type PreferredChannel = 'push' | 'email';

/**
 * A message goes over `channel` first, over the others when the customer cannot be reached. A newer message on the same topic replaces it;
 * after `expiresAt` (ISO 8601; null: never) it is not sent. `entryRef` is the queue entry, since the queue has a guest's phone number; for
 * an invitation its id, since the directory has the address. One that `corrects` a template is not created when that message was not sent
 * on its topic.
 */
export type MessageContent = {
  readonly [T in CustomerTemplate]: {
    readonly template: T;
    readonly data: StoredData<T>;
    readonly topic: string;
    readonly channel: PreferredChannel;
    readonly waitSeconds: number;
    readonly expiresAt: string | null;
    readonly entryRef?: string;
    readonly corrects?: CustomerTemplate;
  };
}[CustomerTemplate];

export interface EventContent {
  /** Topics on which the event makes every older message out of date. Each reminder has its own topic. */
  readonly supersedes: readonly string[];
  readonly message: MessageContent | null;
  readonly reminders?: readonly Reminder[];
}

export type Reminder = MessageContent & {
  readonly dueAt: string;
};

export const noMessage = (...supersedes: readonly string[]): EventContent => ({ supersedes, message: null });

/** One to each contact over each of its channels. */
export type StoreMessage = {
  readonly [T in StoreTemplate]: {
    readonly template: T;
    readonly data: TemplateData[T];
    readonly topic: string;
    readonly expiresAt: string | null;
  };
}[StoreTemplate];
