import type { DeliveryOutcome } from '../rules/delivery.ts';
import type { Mail } from '../rules/mail.ts';

export interface Delivery {
  /** A UUID, the same for every attempt of a message, so the provider can recognise a repeat. */
  readonly id: string;
  readonly to: string;
  readonly title: string;
  readonly body: string;
  /** At most 64 bytes. On the screen, a newer message with the same key replaces the older one. */
  readonly collapseKey: string;
  /** The provider may stop trying after this instant; null when there is no limit. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  /** True when an earlier attempt may have been accepted, although its outcome is unknown here. */
  readonly isRepeat: boolean;
}

/** One provider that delivers messages. It never throws: every fault is a {@link DeliveryOutcome}. */
export interface Channel {
  /** The address of the provider's server, for the span of a delivery. */
  readonly server: string;
  deliver(delivery: Delivery): Promise<DeliveryOutcome>;
  close(): Promise<void>;
}

/** The keys of a browser's subscription, in base64url. */
export interface SubscriptionKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** Push to browsers by their subscriptions; `to` is the endpoint. */
export interface SubscriptionChannel {
  deliver(delivery: Delivery & { readonly keys: SubscriptionKeys }): Promise<DeliveryOutcome>;
  close(): Promise<void>;
}

export interface EmailChannel {
  readonly server: string;
  deliver(delivery: Pick<Delivery, 'id' | 'to'> & { readonly mail: Mail }): Promise<DeliveryOutcome>;
  close(): Promise<void>;
}

/** The channels by the kind of address they reach; `web` is a browser with a token. A channel that is not set up is absent. */
export type Channels = Readonly<Partial<Record<'ios' | 'android' | 'web' | 'sms', Channel>>> & {
  readonly email?: EmailChannel;
  readonly subscription?: SubscriptionChannel;
};

export const timeoutMs = 10_000;
