import { type FollowedAttributes, Problem, type Producer, subjectsOf } from '@corner/contracts';
import type { Msg, Subscription } from '@nats-io/transport-node';
import type { Broker } from '../broker/broker.ts';
import type { Log } from '../telemetry/log.ts';

/** Streams that one caller may have open at once in one process; an app needs one for each order and place it shows. */
const perCaller = 10;
/** Streams of callers without a token from one address: the guests of a salon share its network. */
const perAddress = 100;
const inAll = 2_000;
/** Milliseconds after which a stream reads again without an event, and says that it is there. */
const readAgainMs = 15_000;

/** The open server-sent event streams of a process, and the events that wake them. */
export interface LiveStreams extends AsyncDisposable {
  /** Registers a stream. Throws RATE_LIMITED when its caller has too many open, and UPSTREAM_UNAVAILABLE when the process has, or stops. */
  open(caller: StreamCaller): OpenStream;
}

export interface StreamCaller {
  readonly type: string;
  readonly id: string;
  readonly address: string;
}

export interface OpenStream extends Disposable {
  /** Milliseconds after which it reads again without an event; undefined: never. */
  readonly readAgainMs: number | undefined;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  /** Calls `wake` for each event of the service whose envelope has these attributes, in place of those given before. Null: for none. */
  follow(attributes: FollowedAttributes | null, wake: () => void): void;
  /** Subscribes to the service's events when that could not be done before. */
  listen(): void;
}

interface Followed {
  attributes: FollowedAttributes | null;
  wake: () => void;
}

/**
 * Creates the registry of a service's streams. It subscribes to the service's own subjects while a stream is open: a plain subscription,
 * which keeps nothing, since a stream reads the present state and finds by its own reading what a lost event would have said.
 */
export function createLiveStreams({ producer, broker, log, timersHeld = false }: LiveStreamsOptions): LiveStreams {
  const streams = new Set<Followed>();
  const counts = new Map<string, number>();
  const stop = new AbortController();
  let subscription: Subscription | null = null;

  const wakeFor = (envelope: FollowedAttributes): void => {
    for (const { attributes, wake } of streams) if (attributes && matches(attributes, envelope)) wake();
  };
  const listen = (): void => {
    const connected = broker();
    if ((subscription && !subscription.isClosed()) || !connected || connected.connection.isClosed()) return;
    subscription = connected.connection.subscribe(connected.subject(subjectsOf(producer)), {
      callback: (error, message) => {
        if (error) log.warn({ err: error }, 'events cannot be followed: open streams read at intervals');
        else wakeFor(attributesOf(message));
      },
    });
    // What was published before the server knew the subscription is found by reading once more.
    void connected.connection.flush().then(
      () => {
        for (const { wake } of streams) wake();
      },
      () => {}, // The connection is away: streams read at intervals until it is back.
    );
  };
  const release = (key: string, stream: Followed): void => {
    if (!streams.delete(stream)) return;
    const count = (counts.get(key) ?? 1) - 1;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
    if (streams.size > 0) return;
    subscription?.unsubscribe();
    subscription = null;
  };

  return {
    open(caller) {
      if (stop.signal.aborted || streams.size >= inAll) throw new Problem('UPSTREAM_UNAVAILABLE', { retryAfterSeconds: 1 });
      const [key, limit] = caller.type === 'anonymous' ? [caller.address, perAddress] : [`${caller.type}:${caller.id}`, perCaller];
      const count = counts.get(key) ?? 0;
      if (count >= limit) {
        throw new Problem('RATE_LIMITED', { message: `${limit} streams are open already: close one first.`, retryAfterSeconds: 5 });
      }
      const stream: Followed = { attributes: null, wake: () => {} };
      streams.add(stream);
      counts.set(key, count + 1);
      listen();
      return {
        readAgainMs: timersHeld ? undefined : readAgainMs,
        stopping: stop.signal,
        follow: (attributes, wake) => void Object.assign(stream, { attributes, wake }),
        listen,
        [Symbol.dispose]: () => release(key, stream),
      };
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
    },
  };
}

/** Returns an envelope's attributes; none for what is no JSON, which no producer publishes. */
function attributesOf(message: Msg): FollowedAttributes {
  try {
    return message.json<FollowedAttributes | null>() ?? {};
  } catch {
    return {};
  }
}

const matches = (attributes: FollowedAttributes, envelope: FollowedAttributes): boolean =>
  (attributes.storeid === undefined || attributes.storeid === envelope.storeid) &&
  (attributes.customerid === undefined || attributes.customerid === envelope.customerid);

interface LiveStreamsOptions {
  readonly producer: Producer;
  /** Returns null while there is no connection yet. */
  readonly broker: () => Broker | null;
  readonly log: Log;
  /** True: a stream reads again only when an event wakes it. */
  readonly timersHeld?: boolean;
}
