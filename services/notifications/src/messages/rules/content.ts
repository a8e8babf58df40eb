import type { Template, TemplateData } from './template-data.ts';

/** The channel tried first. The other one is used when the customer cannot be reached over it. */
export type PreferredChannel = 'push' | 'email';

/** The content of one message, for any template. */
export type MessageContent = {
  readonly [T in Template]: {
    readonly template: T;
    readonly data: TemplateData[T];
    /** What the message is about. A newer message on the same topic replaces it. */
    readonly topic: string;
    readonly channel: PreferredChannel;
    /** Seconds the message waits, so that a newer one can replace it. */
    readonly waitSeconds: number;
    /** ISO 8601. The message is not sent after this instant; null when it never expires. */
    readonly expiresAt: string | null;
  };
}[Template];

/** What an event means for its customer. */
export interface EventContent {
  /** Topics on which the event makes every older message out of date. */
  readonly supersedes: readonly string[];
  /** Null when the customer gets no message about the event. */
  readonly message: MessageContent | null;
}

/** The content of an event without a message. It still makes older messages on its topics out of date. */
export const noMessage = (...supersedes: readonly string[]): EventContent => ({ supersedes, message: null });
