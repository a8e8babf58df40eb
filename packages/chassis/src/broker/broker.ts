import type { Producer } from '@corner/contracts';
import type { StoredRange, StreamOwner } from '@corner/nats';

/**
 * What a service uses of its broker: streams that keep the events of producers, and requests with replies. It is NATS, or what a simulation
 * puts in its place. Requests of customers do not depend on it: while the broker is away, events wait in the outbox.
 */
export interface Broker extends AsyncDisposable {
  isConnected(): boolean;
  /** Whether the connection is given up for good. */
  isClosed(): boolean;
  /** Returns a signal that is aborted when the connection is lost: requests sent on it get no reply any more. */
  untilLost(): AbortSignal;
  untilConnected(stopped: AbortSignal): Promise<void>;
  /** Returns the name of a stream, under the platform's namespace. */
  streamOf(owner: StreamOwner): string;
  subject(plain: string): string;
  /** Looks at a producer's stream. Throws UnfitStream when it is missing. */
  lookAtStream(producer: Producer): Promise<SeenStream>;
  /** Whether the broker responds while it stores nothing, as after its disk was full. */
  isSilent(producer: Producer): Promise<boolean>;

  /** Resolves when the stream has stored the message. Throws {@link OutOfPlace}; the fault of the broker else. */
  publish(subject: string, body: string, options: PublishOptions): Promise<unknown>;
  /** Returns a durable consumer of a producer's stream by its name. Throws UnfitStream when it or the stream is missing. */
  findConsumer(producer: Producer, name: string): Promise<DurableConsumer>;
  /** Reads a range of a producer's stream, in order. */
  readStored(producer: Producer, range: StoredRange): AsyncIterable<StoredMessage>;
  /** Returns the newest message of a subject in a producer's stream; null when there is none. */
  newestStored(producer: Producer, subject: string): Promise<StoredMessage | null>;
  /** Returns the sequence from which a producer's stream holds what the broker took at an instant or later. */
  sequenceSince(producer: Producer, instant: Date): Promise<number>;
  /** Messages of a producer's stream that a consumer has not acknowledged: all of them while there is no such consumer. */
  lagOf(producer: Producer, name: string): Promise<number>;

  /** Sends a request to one of those that subscribe as a group, or to all that do so alone. Resolves to the first reply; rejects without one in time. */
  request(subject: string, body: string, options: RequestOptions): Promise<{ json(): unknown }>;
  /** Calls `callback` with each message from now on. */
  subscribe(subject: string, options: SubscribeOptions): Subscription;
  /** Resolves when the broker has all subscriptions that were made. */
  flush(): Promise<void>;
}

/** Headers of a message by their names. */
export type SentHeaders = Readonly<Record<string, string>>;

export interface PublishOptions {
  /** The broker stores a message of an id that it has seen only once. */
  readonly msgID: string;
  /** Stores it only behind the message of this id. */
  readonly after?: string;
  readonly headers?: SentHeaders;
  /** Milliseconds to wait for the acknowledgement. */
  readonly timeout?: number;
}

export interface RequestOptions {
  readonly timeout: number;
  readonly headers?: SentHeaders;
}

export interface SubscribeOptions {
  /** The subscribers of a group share the messages between them. */
  readonly queue?: string;
  readonly callback: (error: unknown, message: IncomingMessage) => void;
}

export interface Subscription {
  isClosed(): boolean;
  unsubscribe(): void;
  /** Ends it. Resolves when the messages that came before are handed over. */
  drain(): Promise<void>;
}

export interface ReceivedHeaders {
  /** The value, or an empty text. */
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

/** A message as a stream holds it. */
export interface StoredMessage extends AnyMessage {
  readonly seq: number;
  readonly time: Date;
  readonly header: ReceivedHeaders;
}

/** A message of a stream as it was handed to a consumer, until which acknowledges it the broker delivers it again. */
export interface DeliveredMessage extends AnyMessage {
  readonly seq: number;
  readonly headers?: ReceivedHeaders | undefined;
  readonly redelivered: boolean;
  readonly info: { readonly stream: string; readonly deliveryCount: number };
  ack(): void;
  nak(): void;
  /** Asks for more time. */
  working(): void;
}

export interface DurableConsumer {
  /** Asks for messages. They come until there are so many, or so many milliseconds are over. */
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

/** Another message is the last one of the stream than the one that had to be. */
export class OutOfPlace extends Error {
  override readonly name = 'OutOfPlace';
}

/** A stream or consumer is missing, or a stream's setting could lose events. The message says what to do: no service makes one. */
export class UnfitStream extends Error {
  static missing(what: string): UnfitStream {
    return new UnfitStream(`The ${what} is missing. \`corner streams\` makes it: see whether it runs, and what it says`);
  }
}
