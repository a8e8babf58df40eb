import type { CustomerTemplate, StoredData, StoreTemplate, TemplateData } from './template-data.ts';

/** The channel tried first. The others are used when the customer cannot be reached over it. */
type PreferredChannel = 'push' | 'email';

/** The content of one message to a customer, a guest or an invited person, for any template. */
export type MessageContent = {
  readonly [T in CustomerTemplate]: {
    readonly template: T;
    readonly data: StoredData<T>;
    /** The message's subject. A newer message on the same topic replaces it. */
    readonly topic: string;
    readonly channel: PreferredChannel;
    readonly waitSeconds: number;
    /** ISO 8601. The message is not sent after this instant; null when it never expires. */
    readonly expiresAt: string | null;
    /**
     * The entry of the queue that the message is about: the queue has a guest's phone number. Of an invitation its id: the directory has
     * the address.
     */
    readonly entryRef?: string;
    /** The message corrects the one of this template on its topic: it is not created when that one has not been sent. */
    readonly corrects?: CustomerTemplate;
  };
}[CustomerTemplate];

export interface EventContent {
  /** Topics on which the event makes every older message out of date. */
  readonly supersedes: readonly string[];
  readonly message: MessageContent | null;
  /** Messages for later, each on a topic of its own. Absent: none. */
  readonly reminders?: readonly Reminder[];
}

/** A message that is sent at a moment. */
export type Reminder = MessageContent & {
  /** ISO 8601. */
  readonly dueAt: string;
};

/** The content of an event without a message. It still makes older messages on its topics out of date. */
export const noMessage = (...supersedes: readonly string[]): EventContent => ({ supersedes, message: null });

/** An event's message for its store: one to each contact, over each channel the contact has. */
export type StoreMessage = {
  readonly [T in StoreTemplate]: {
    readonly template: T;
    readonly data: TemplateData[T];
    /** The message's subject. A newer message on the same topic replaces it, for each contact and channel. */
    readonly topic: string;
    /** ISO 8601. The message is not sent after this instant; null when it never expires. */
    readonly expiresAt: string | null;
  };
}[StoreTemplate];
