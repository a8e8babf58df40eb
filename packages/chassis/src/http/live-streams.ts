import { type FollowedAttributes, Problem, type Producer, subjectsOf } from '@corner/contracts';
import type { Broker, IncomingMessage, Subscription } from '../broker/broker.ts';
import type { Log } from '../telemetry/log.ts';
import { createStreamLimits, type StreamLimits } from './stream-limits.ts';

/**
 * `perCaller`: an app needs a stream for each order and place that it shows. `readAgainMs`: a stream without an event then reads again and
 * sends a keep-alive.
 */
const perCaller = 10;
const readAgainMs = 15_000;

export interface LiveStreams extends AsyncDisposable {
  /** Throws the problems of {@link StreamLimits}, and UPSTREAM_UNAVAILABLE when the process stops. */
  open(caller: StreamCaller): OpenStream;
}

export interface StreamCaller {
  readonly type: string;
  readonly id: string;
  readonly address: string;
}

interface OpenStream extends Disposable {
  readonly readAgainMs: number | undefined;
  readonly stopping: AbortSignal;
  /** Calls `wake` for each event of the service whose envelope has these attributes, in place of those given before; null: for none. */
  follow(attributes: FollowedAttributes | null, wake: () => void): void;
  listen(): void;
}

interface Followed {
  attributes: FollowedAttributes | null;
  wake: () => void;
}

/**
 * A plain subscription is enough: a stream's own reading makes up for a lost event. `timersHeld`: a stream reads again only when an event
 * wakes it.
 */
export const createLiveStreams = (options: LiveStreamsOptions): LiveStreams => new StreamRegistry(options);

class StreamRegistry implements LiveStreams {
  readonly #options: LiveStreamsOptions;
  readonly #streams = new Set<Followed>();
  readonly #limits: StreamLimits;
  readonly #stop = new AbortController();
  #subscription: Subscription | null = null;

  constructor(options: LiveStreamsOptions) {
    this.#options = options;
    this.#limits = createStreamLimits({ max: options.max, perCaller });
  }

  open({ type, id, address }: StreamCaller): OpenStream {
    if (this.#stop.signal.aborted) throw new Problem('UPSTREAM_UNAVAILABLE', { retryAfterSeconds: 1 });
    const counted = this.#limits.open({ address, caller: type === 'anonymous' ? null : `${type}:${id}` });
    const stream: Followed = { attributes: null, wake: () => {} };
    this.#streams.add(stream);
    this.#listen();
    return {
      readAgainMs: this.#options.timersHeld ? undefined : readAgainMs,
      stopping: this.#stop.signal,
      follow: (attributes, wake) => void Object.assign(stream, { attributes, wake }),
      listen: () => this.#listen(),
      [Symbol.dispose]: () => this.#release(counted, stream),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#limits[Symbol.dispose]();
  }

  #listen(): void {
    const { producer, log } = this.#options;
    const connected = this.#options.broker();
    if ((this.#subscription && !this.#subscription.isClosed()) || !connected || connected.isClosed()) return;
    this.#subscription = connected.subscribe(connected.subject(subjectsOf(producer)), {
      callback: (error, message) => {
        if (error) log.warn({ err: error }, 'events cannot be followed: open streams read at intervals');
        else this.#wakeFor(attributesOf(message));
      },
    });
    // One more reading finds the events published before the server had the subscription.
    void connected.flush().then(
      () => {
        for (const { wake } of this.#streams) wake();
      },
      () => {}, // The connection is away: streams read at intervals until it is back.
    );
  }

  #wakeFor(envelope: FollowedAttributes): void {
    for (const { attributes, wake } of this.#streams) if (attributes && matches(attributes, envelope)) wake();
  }

  #release(counted: Disposable, stream: Followed): void {
    if (!this.#streams.delete(stream)) return;
    counted[Symbol.dispose]();
    if (this.#streams.size > 0) return;
    this.#subscription?.unsubscribe();
    this.#subscription = null;
  }
}

function attributesOf(message: IncomingMessage): FollowedAttributes {
  try {
    return message.json<FollowedAttributes | null>() ?? {};
  } catch {
    return {};
  }
}

const matches = (attributes: FollowedAttributes, envelope: FollowedAttributes): boolean =>
  (attributes.storeid === undefined || attributes.storeid === envelope.storeid) &&
  (attributes.customerid === undefined || attributes.customerid === envelope.customerid) &&
  (attributes.type === undefined || attributes.type === envelope.type);

interface LiveStreamsOptions {
  readonly max: number;
  readonly producer: Producer;
  readonly broker: () => Broker | null;
  readonly log: Log;
  readonly timersHeld?: boolean;
}
