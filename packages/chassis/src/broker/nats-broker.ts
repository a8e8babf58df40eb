import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Producer } from '@corner/contracts';
import {
  connectOptions,
  inboxOf,
  isMissing,
  isNoMessage,
  type NatsLogin,
  type StreamOwner,
  sequenceSince,
  storedMessages,
  streamNameOf,
} from '@corner/nats';
import { JetStreamApiError, type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers, type MsgHdrs, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { backoffMs } from '../async/waiting.ts';
import type { Log } from '../telemetry/log.ts';
import { type Broker, type DurableConsumer, OutOfPlace, type PublishOptions, type SentHeaders, UnfitStream } from './broker.ts';
import { isJetStreamSilent } from './silent-jetstream.ts';
import { lookAtStream } from './streams.ts';

export interface NatsBroker extends Broker {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
}

export interface BrokerOptions {
  readonly login: NatsLogin;
  readonly namespace?: string;
  readonly name: string;
  readonly log: Log;
  readonly stopped: AbortSignal;
}

/** Retries until the server is there and accepts the login. Throws only once `stopped`. */
export async function connectBroker({ login, namespace = '', name, log, stopped }: BrokerOptions): Promise<NatsBroker> {
  // inboxPrefix: a service's user may receive replies only there. ignoreAuthErrorAbort: a refused login may be corrected later; by default
  // the second refusal closes the connection for good. pingInterval: two pings without a response reveal a half-open connection.
  // noAsyncTraces: otherwise every publication captures a stack trace.
  const options = {
    ...connectOptions(login),
    name,
    inboxPrefix: inboxOf(name),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    reconnectJitter: 200,
    ignoreAuthErrorAbort: true,
    pingInterval: 4_000,
    maxPingOut: 2,
    noAsyncTraces: true,
  };
  const connection = await untilConnected(options, log, stopped);
  // Sends no request to the server: a broker that is away at this moment is a normal state.
  const jsm = await jetstreamManager(connection, { checkAPI: false });
  const js = jetstream(connection);
  const streamOf = (owner: StreamOwner) => streamNameOf(owner, namespace);
  return {
    connection,
    ...watchConnection(connection),
    jsm,
    js,
    streamOf,
    subject: (plain) => `${namespace}${plain}`,
    lookAtStream: (producer) => lookAtStream(jsm, producer, namespace),
    isSilent: (producer) =>
      isJetStreamSilent(connection, () => connect({ ...options, reconnect: false, timeout: 2_000 }), streamOf(producer)),
    ...streamsOf({ js, jsm }, streamOf, (producer) => lookAtStream(jsm, producer, namespace)),
    request: (subject, body, { timeout, headers: sent }) =>
      connection.request(subject, body, { timeout, ...(sent ? { headers: headersOf(sent) } : {}) }),
    subscribe: (subject, options) => connection.subscribe(subject, options),
    flush: () => connection.flush(),
    isClosed: () => connection.isClosed(),
    async [Symbol.asyncDispose]() {
      await connection.drain().catch(() => connection.close());
    },
  };
}

type Streams = 'publish' | 'findConsumer' | 'readStored' | 'newestStored' | 'sequenceSince' | 'lagOf';

function streamsOf(
  { js, jsm }: Pick<NatsBroker, 'js' | 'jsm'>,
  streamOf: Broker['streamOf'],
  look: Broker['lookAtStream'],
): Pick<Broker, Streams> {
  return {
    publish: (subject, body, options) => publish(js, subject, body, options),
    readStored: (producer, range) => storedMessages(jsm, streamOf(producer), range),
    sequenceSince: (producer, instant) => sequenceSince(jsm, streamOf(producer), instant),
    async newestStored(producer, subject) {
      try {
        return await jsm.streams.getMessage(streamOf(producer), { last_by_subj: subject });
      } catch (error) {
        if (isNoMessage(error)) return null;
        throw error;
      }
    },
    async findConsumer(producer: Producer, name: string): Promise<DurableConsumer> {
      const stream = streamOf(producer);
      try {
        return await js.consumers.get(stream, name);
      } catch (error) {
        if (!isMissing(error)) throw error;
        await look(producer);
        throw UnfitStream.missing(`consumer ${name} of the stream ${stream}`);
      }
    },
    async lagOf(producer, name) {
      const stream = streamOf(producer);
      try {
        const { num_pending, num_ack_pending } = await jsm.consumers.info(stream, name);
        return num_pending + num_ack_pending;
      } catch (error) {
        if (!(error instanceof JetStreamApiError && error.code === 10_014)) throw error; // "consumer not found"
        return (await jsm.streams.info(stream)).state.messages;
      }
    },
  };
}

async function publish(
  js: JetStreamClient,
  subject: string,
  body: string,
  { msgID, after, headers: sent, timeout }: PublishOptions,
): Promise<void> {
  try {
    await js.publish(subject, body, {
      msgID,
      ...(after ? { expect: { lastMsgID: after } } : {}),
      ...(sent ? { headers: headersOf(sent) } : {}),
      ...(timeout === undefined ? {} : { timeout }),
    });
  } catch (error) {
    // JetStream's "wrong last msg ID".
    if (error instanceof JetStreamApiError && error.code === 10_070) throw new OutOfPlace(error.message, { cause: error });
    throw error;
  }
}

function headersOf(sent: SentHeaders): MsgHdrs {
  const all = headers();
  for (const [name, value] of Object.entries(sent)) all.set(name, value);
  return all;
}

/** The library itself only reports a final close. */
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
