import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Producer } from '@corner/contracts';
import { connectOptions, inboxOf, type NatsLogin, type StreamOwner, streamNameOf } from '@corner/nats';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { backoffMs } from '../async/waiting.ts';
import type { Log } from '../telemetry/log.ts';
import { isJetStreamSilent } from './silent-jetstream.ts';
import { lookAtStream, type SeenStream } from './streams.ts';

/** The connection to NATS. It reconnects for ever. Requests do not depend on it: while the broker is away, events wait in the outbox. */
export interface Broker extends AsyncDisposable {
  readonly connection: NatsConnection;
  isConnected(): boolean;
  /** Returns a signal that is aborted when the connection is lost: requests sent on it get no reply any more. */
  untilLost(): AbortSignal;
  untilConnected(stopped: AbortSignal): Promise<void>;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  /** Returns the name of a stream, under the platform's namespace. */
  streamOf(owner: StreamOwner): string;
  subject(plain: string): string;
  /** Looks at a producer's stream. Throws UnfitStream when it is missing. */
  lookAtStream(producer: Producer): Promise<SeenStream>;
  /** Whether NATS responds while its JetStream gives no response: {@link isJetStreamSilent}. */
  isSilent(producer: Producer): Promise<boolean>;
}

export interface BrokerOptions {
  readonly login: NatsLogin;
  readonly namespace?: string;
  readonly name: string;
  readonly log: Log;
  readonly stopped: AbortSignal;
}

/** Connects, and waits as long as it takes until the server is there and accepts the login. Throws only once `stopped`. */
export async function connectBroker({ login, namespace = '', name, log, stopped }: BrokerOptions): Promise<Broker> {
  const options = {
    ...connectOptions(login),
    name,
    // The user of a service may receive replies at its own addresses only.
    inboxPrefix: inboxOf(name),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    reconnectJitter: 200,
    // A refused login may be corrected later; by default the second refusal would close the connection for good.
    ignoreAuthErrorAbort: true,
    // A half-open connection is found out by two pings without a response.
    pingInterval: 4_000,
    maxPingOut: 2,
    // Otherwise every publication captures a stack trace, in case it fails.
    noAsyncTraces: true,
  };
  const connection = await untilConnected(options, log, stopped);
  // No request to the server here: a broker that is away at this moment is a normal state.
  const jsm = await jetstreamManager(connection, { checkAPI: false });
  return {
    connection,
    ...watchConnection(connection),
    jsm,
    js: jetstream(connection),
    streamOf: (owner) => streamNameOf(owner, namespace),
    subject: (plain) => `${namespace}${plain}`,
    lookAtStream: (producer) => lookAtStream(jsm, producer, namespace),
    isSilent: (producer) =>
      isJetStreamSilent(connection, () => connect({ ...options, reconnect: false, timeout: 2_000 }), streamNameOf(producer, namespace)),
    async [Symbol.asyncDispose]() {
      await connection.drain().catch(() => connection.close());
    },
  };
}

/** Tracks whether the connection is up: the library itself only reports a final close. */
function watchConnection(connection: NatsConnection): Pick<Broker, 'isConnected' | 'untilLost' | 'untilConnected'> {
  let stands = true;
  let lost = new AbortController();
  let back = new AbortController();
  const watch = async () => {
    for await (const { type } of connection.status()) {
      if (type === 'reconnect') {
        stands = true;
        back.abort();
      } else if (type === 'disconnect') {
        stands = false;
        back = new AbortController();
        lost.abort();
        lost = new AbortController();
      }
    }
  };
  void watch();
  return {
    isConnected: () => stands && !connection.isClosed(),
    untilLost: () => lost.signal,
    async untilConnected(stopped) {
      const ended = AbortSignal.any([stopped, back.signal]);
      if (!stands && !ended.aborted) await once(ended, 'abort');
    },
  };
}

async function untilConnected(options: NodeConnectionOptions, log: Log, stopped: AbortSignal): Promise<NatsConnection> {
  for (let faults = 0; !stopped.aborted; faults += 1) {
    try {
      const connection = await connect({ ...options, timeout: 5_000 });
      if (!stopped.aborted) return connection;
      await connection.close();
    } catch (error) {
      if (faults === 0) log.warn({ err: error }, 'the broker cannot be reached: serving requests without it until it can');
      await pause(Math.min(backoffMs(faults), 1_000), undefined, { signal: stopped }).catch(() => {});
    }
  }
  throw new Error('stopped before the broker was reached');
}
