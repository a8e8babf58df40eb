import { setTimeout as pause } from 'node:timers/promises';
import type { BrokerConnection, NatsBroker } from '@corner/chassis/calls';
import type { Log } from '@corner/chassis/edge';
import { findStream, type StreamOwner, sequenceSince, storedMessages } from '@corner/nats';

/** Milliseconds between two reads while nothing arrives, for messages that another server of the cluster had not passed on. */
const againMs = 1_000;

export interface Watch extends AsyncDisposable {
  readonly fault: string | null;
  readonly isRead: boolean;
}

/**
 * Passes on the messages of a stream under a subject, since an instant. They are received as they are published, and read from the stream
 * directly: permission to create a consumer would allow sending them anywhere. It resumes after an outage of the broker.
 */
export function watchMessages(options: WatchOptions): Watch {
  const stop = new AbortController();
  const state: State = { created: null, next: 1, fault: 'not read yet', isRead: false, received: new AbortController() };
  const watching = watch(options, state, stop.signal);
  return {
    get fault() {
      return state.fault;
    },
    get isRead() {
      return state.isRead;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await watching;
    },
  };
}

interface State {
  created: string | null;
  next: number;
  fault: string | null;
  isRead: boolean;
  received: AbortController;
}

async function watch(options: WatchOptions, state: State, stopped: AbortSignal): Promise<void> {
  const { connection, owner, subject, log, each, looked = async () => {} } = options;
  const broker = await connection.broker.catch(() => null);
  if (!broker) return;
  const subscription = broker.connection.subscribe(broker.subject(subject), {
    callback: (error, message) => {
      if (error) log.warn({ err: error, stream: owner }, 'messages do not arrive: they are read each second');
      else each({ key: keyOf(message.subject), at: null });
      state.received.abort();
    },
  });
  while (!stopped.aborted) {
    state.received = new AbortController();
    try {
      const isThere = await readStream(broker, options, state);
      state.isRead = true;
      if (isThere) await looked();
      state.fault = isThere ? null : 'it is missing: see whether `corner streams` runs, and what it says';
    } catch (error) {
      if (!stopped.aborted && state.fault === null) log.warn({ err: error, stream: owner }, 'a stream cannot be read');
      state.fault = 'it cannot be read';
    }
    await pause(againMs, undefined, { signal: AbortSignal.any([stopped, state.received.signal]) }).catch(() => {});
  }
  subscription.unsubscribe();
}

/** Starts over on the first read, for another stream of this name and for an older state of it. Returns false when there is no stream. */
async function readStream(broker: NatsBroker, { owner, subject, since, each }: WatchOptions, state: State): Promise<boolean> {
  const { jsm } = broker;
  const stream = broker.streamOf(owner);
  const info = await findStream(jsm, stream);
  if (!info) return false;
  const last = info.state.last_seq;
  if (info.created !== state.created || state.next > last + 1) state.next = await sequenceSince(jsm, stream, since);
  state.created = info.created;
  for await (const message of storedMessages(jsm, stream, { from: state.next, to: last, subject: broker.subject(subject) })) {
    each({ key: keyOf(message.subject), at: message.time });
    state.next = message.seq + 1;
  }
  state.next = last + 1;
  return true;
}

const keyOf = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);

/** `key`: the last token of the subject. `at`: when the broker stored the message; null for one that is only received. */
export interface Watched {
  readonly key: string;
  readonly at: Date | null;
}

interface WatchOptions {
  readonly connection: BrokerConnection;
  readonly owner: StreamOwner;
  readonly subject: string;
  readonly since: Date;
  readonly log: Log;
  each(message: Watched): void;
  /** Runs after each read of the stream. Its error is a fault of the stream. */
  looked?(): Promise<void>;
}
