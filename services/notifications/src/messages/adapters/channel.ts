import type { DeliveryOutcome } from '../rules/delivery.ts';
import type { Mail } from '../rules/mail.ts';

/**
 * `id` is a UUID, the same for every attempt, so the provider can recognise a repeat. `collapseKey` has at most 64 bytes: on the screen, a
 * newer message with the same key replaces the older one. `expiresAt`: null when there is no limit. `isRepeat`: an earlier attempt may have
 * been accepted, although its outcome is unknown here.
 */
export interface Delivery {
  readonly id: string;
  readonly to: string;
  readonly title: string;
  readonly body: string;
  readonly collapseKey: string;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly isRepeat: boolean;
}

/** Never throws: every fault is a {@link DeliveryOutcome}. `server` is the provider's address, for the span of a delivery. */
export interface Channel {
  readonly server: string;
  deliver(delivery: Delivery): Promise<DeliveryOutcome>;
  close(): Promise<void>;
}

/** A text that someone sent: `id` is the provider's, `from` the number, E.164. */
export interface IncomingText {
  readonly id: string;
  readonly from: string;
  readonly text: string;
}

/** `at`: when the provider received it. */
export interface ReceivedText extends IncomingText {
  readonly at: Date;
}

export interface SmsChannel extends Channel {
  /**
   * Verifies and reads the provider's request about a text that someone sent. Null for a request about something else. Throws
   * WEBHOOK_SIGNATURE_INVALID, and an error where the own address is not known.
   */
  readText(body: Buffer, signature: string | undefined): IncomingText | null;
  /** When the provider received a text. Null while it does not say. */
  receivedAt(id: string): Promise<Date | null>;
  /** The texts that the provider has received since an instant, the newest thousand at most. Throws while it does not reply. */
  receivedSince(since: Date): Promise<readonly ReceivedText[]>;
}

export interface SubscriptionKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** `to` is the endpoint of a browser's subscription; the keys are in base64url. */
export interface SubscriptionChannel {
  deliver(delivery: Delivery & { readonly keys: SubscriptionKeys }): Promise<DeliveryOutcome>;
  close(): Promise<void>;
}

export interface EmailChannel {
  readonly server: string;
  deliver(delivery: Pick<Delivery, 'id' | 'to'> & { readonly mail: Mail }): Promise<DeliveryOutcome>;
  close(): Promise<void>;
}

/** A channel that is not set up is absent. `web` is a browser with a token. */
export type Channels = Readonly<Partial<Record<'ios' | 'android' | 'web', Channel>>> & {
  readonly sms?: SmsChannel;
  readonly email?: EmailChannel;
  readonly subscription?: SubscriptionChannel;
};

export const timeoutMs = 10_000;
