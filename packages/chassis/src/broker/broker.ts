import { setTimeout as pause } from 'node:timers/promises';
import { type Producer, streamOf, subjectsOf } from '@corner/contracts';
import {
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { connect, type NatsConnection, type NodeConnectionOptions, nanos } from '@nats-io/transport-node';
import { backoffMs } from '../async/backoff.ts';
import type { Log } from '../telemetry/log.ts';

/** The connection to NATS. It reconnects for ever; nothing that a caller was promised depends on it. */
export interface Broker extends AsyncDisposable {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  /** Name of a teller's stream, under the platform's namespace. */
  streamOf(producer: Producer): string;
  /** A subject under the platform's namespace. */
  subject(plain: string): string;
  /** Creates a teller's stream when it is missing; answers when it was created, which tells a new one from the old. */
  ensureStream(producer: Producer): Promise<{ readonly created: string; readonly firstSequence: number; readonly lastSequence: number }>;
}

export interface BrokerOptions {
  readonly url: string;
  readonly namespace?: string;
  /** Names the connection in the server's own listings. */
  readonly name: string;
  readonly log: Log;
  /** Ends the waiting for a server that never came. */
  readonly stopped: AbortSignal;
}

/** Days a stream keeps events; the outbox keeps them at least as long. */
export const retentionDays = 7;

/** Connects, waiting as long as it takes for the server to be there and to let us in. Throws only once `stopped`. */
export async function connectBroker({ url, namespace = '', name, log, stopped }: BrokerOptions): Promise<Broker> {
  const { host, username, password, protocol } = new URL(url);
  const connection = await untilConnected(
    {
      servers: host,
      name,
      ...(username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}),
      ...(protocol === 'tls:' ? { tls: {} } : {}),
      maxReconnectAttempts: -1,
      reconnectTimeWait: 200,
      reconnectJitter: 200,
      // A login that is refused today may be mended tomorrow; by default the second refusal would close for good.
      ignoreAuthErrorAbort: true,
      // A half-open connection is noticed after two unanswered pings.
      pingInterval: 4_000,
      maxPingOut: 2,
      // Else every publication captures a stack, in case it fails.
      noAsyncTraces: true,
    },
    log,
    stopped,
  );
  // The manager is made without asking the server first: a broker that is away at this moment is a normal state.
  const jsm = await jetstreamManager(connection, { checkAPI: false });
  const streamName = (producer: Producer) => `${namespace.toUpperCase()}${streamOf(producer)}`;
  return {
    connection,
    jsm,
    js: jetstream(connection),
    streamOf: streamName,
    subject: (plain) => `${namespace}${plain}`,
    async ensureStream(producer) {
      const info = await jsm.streams.add({
        name: streamName(producer),
        subjects: [`${namespace}${subjectsOf(producer)}`],
        retention: RetentionPolicy.Limits,
        storage: StorageType.File,
        max_age: nanos(retentionDays * 86_400_000),
        // A full stream pushes back into the outbox; it never eats what nobody has read yet.
        discard: DiscardPolicy.New,
        duplicate_window: nanos(3_600_000),
      });
      return { created: info.created, firstSequence: info.state.first_seq, lastSequence: info.state.last_seq };
    },
    async [Symbol.asyncDispose]() {
      await connection.drain().catch(() => connection.close());
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
      if (faults === 0) log.warn({ err: error }, 'the broker is not there: serving without it until it is');
      await pause(Math.min(backoffMs(faults), 1_000), undefined, { signal: stopped }).catch(() => {});
    }
  }
  throw new Error('stopped before the broker was reached');
}
