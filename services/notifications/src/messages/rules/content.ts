import type { CustomerTemplate, StoredData, StoreTemplate, TemplateData } from './template-data.ts';

/** The channel tried first. The others are used when the customer cannot be reached over it. */
type PreferredChannel = 'push' | 'email';

export type MessageContent = {
  readonly [T in CustomerTemplate]: {
    readonly template: T;
    readonly data: StoredData<T>;
    /** A newer message on the same topic replaces this one. */
    readonly topic: string;
    readonly channel: PreferredChannel;
    readonly waitSeconds: number;
    /** ISO 8601. The message is not sent after this instant; null when it never expires. */
    readonly expiresAt: string | null;
    /**
     * The queue entry of the message, since the queue has a guest's phone number; for an invitation its id, since the directory has the
     * address.
     */
    readonly entryRef?: string;
    /** Corrects the message of this template on its topic: not created when that one has not been sent. */
    readonly corrects?: CustomerTemplate;
  };
}[CustomerTemplate];

export interface EventContent {
  /** Topics on which the event makes every older message out of date. */
  readonly supersedes: readonly string[];
  readonly message: MessageContent | null;
  /** Messages for later, each on a topic of its own. */
  readonly reminders?: readonly Reminder[];
}

export type Reminder = MessageContent & {
  /** ISO 8601. */
  readonly dueAt: string;
};

export const noMessage = (...supersedes: readonly string[]): EventContent => ({ supersedes, message: null });

/** An event's message for its store: one to each contact over each of its channels. Topic and expiry as above. */
export type StoreMessage = {
  readonly [T in StoreTemplate]: {
    readonly template: T;
    readonly data: TemplateData[T];
    readonly topic: string;
    readonly expiresAt: string | null;
  };
}[StoreTemplate];
