import type { Producer } from '@corner/contracts';
import type { StoredRange, StreamOwner } from '@corner/nats';

/**
 * A service's broker: streams that keep the events of producers, and requests with replies. NATS implements it, and a simulation for tests.
 * Customer requests do not depend on it: while the broker is away, events wait in the outbox. A missing stream or consumer throws
 * {@link UnfitStream}.
 */
export interface Broker extends AsyncDisposable {
  isConnected(): boolean;
  isClosed(): boolean;
  /** The signal is aborted when the connection is lost: requests sent on it get no reply any more. */
  untilLost(): AbortSignal;
  untilConnected(stopped: AbortSignal): Promise<void>;
  streamOf(owner: StreamOwner): string;
  subject(plain: string): string;
  lookAtStream(producer: Producer): Promise<SeenStream>;
  /** True when the broker responds but stores nothing, as after its disk was full. */
  isSilent(producer: Producer): Promise<boolean>;

  /** Resolves when the stream has stored the message. Throws {@link OutOfPlace}, or the broker's own error. */
  publish(subject: string, body: string, options: PublishOptions): Promise<unknown>;
  findConsumer(producer: Producer, name: string): Promise<DurableConsumer>;
  readStored(producer: Producer, range: StoredRange): AsyncIterable<StoredMessage>;
  newestStored(producer: Producer, subject: string): Promise<StoredMessage | null>;
  /** Returns the sequence of the first message that the broker stored at an instant or later. */
  sequenceSince(producer: Producer, instant: Date): Promise<number>;
  /** Counts unacknowledged messages: all of the stream while the consumer does not exist. */
  lagOf(producer: Producer, name: string): Promise<number>;

  /** Sends to one subscriber of a group, or to each that has no group. The first reply counts; rejects without one in time. */
  request(subject: string, body: string, options: RequestOptions): Promise<{ json(): unknown }>;
  subscribe(subject: string, options: SubscribeOptions): Subscription;
  flush(): Promise<void>;
}

export type SentHeaders = Readonly<Record<string, string>>;

/** A repeated `msgID` is stored once. `after`: stored only directly behind the message of this id. `timeout`: milliseconds. */
export interface PublishOptions {
  readonly msgID: string;
  readonly after?: string;
  readonly headers?: SentHeaders;
  readonly timeout?: number;
}

export interface RequestOptions {
  readonly timeout: number;
  readonly headers?: SentHeaders;
}

export interface SubscribeOptions {
  readonly queue?: string;
  readonly callback: (error: unknown, message: IncomingMessage) => void;
}

export interface Subscription {
  isClosed(): boolean;
  unsubscribe(): void;
  drain(): Promise<void>;
}

export interface ReceivedHeaders {
  get(name: string): string;
  has(name: string): boolean;
}

interface AnyMessage {
  readonly subject: string;
  string(): string;
  json<T>(): T;
}

export interface IncomingMessage extends AnyMessage {
  readonly headers?: ReceivedHeaders | undefined;
  respond(body: string): unknown;
}

export interface StoredMessage extends AnyMessage {
  readonly seq: number;
  readonly time: Date;
  readonly header: ReceivedHeaders;
}

export interface DeliveredMessage extends AnyMessage {
  readonly seq: number;
  readonly headers?: ReceivedHeaders | undefined;
  readonly redelivered: boolean;
  readonly info: { readonly stream: string; readonly deliveryCount: number };
  ack(): void;
  nak(): void;
  working(): void;
}

export interface DurableConsumer {
  /** The pull ends after `max_messages`, or after `expires` milliseconds. */
  fetch(options: { readonly max_messages: number; readonly expires: number }): Promise<Pull>;
}

export interface Pull extends AsyncIterable<DeliveredMessage> {
  close(): unknown;
}

export interface SeenStream {
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** A setting that could lose events or show them to others, with the command that corrects it; null for none. */
  readonly fault: string | null;
}

/** The last message of the stream is not the one that this one had to follow. */
export class OutOfPlace extends Error {
  override readonly name = 'OutOfPlace';
}

/** A stream or consumer is missing, or a stream's setting could lose events. The message says what to do: services create neither. */
export class UnfitStream extends Error {
  static missing(what: string): UnfitStream {
    return new UnfitStream(`The ${what} is missing. \`corner streams\` makes it: see whether it runs, and what it says`);
  }
}
