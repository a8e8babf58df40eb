import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName, Teller } from '@corner/contracts';
import { AckPolicy, type ConsumerMessages, DeliverPolicy, type JsMsg, ReplayPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { backoffMs } from './backoff.ts';
import type { Broker } from './broker.ts';
import type { InboxOptions } from './inbox.ts';
import { createLanes, type Lanes } from './lanes.ts';

export interface ListenOptions<Context> extends InboxOptions<Context> {
  readonly service: ServiceName;
  readonly broker: Broker;
}

/** Hears the events of every teller that one of the service's reactions names. */
export interface Listening extends AsyncDisposable {
  readonly state: { readonly lagging: boolean; readonly heard: number };
}

/** Milliseconds the broker waits for an acknowledgement before it delivers again; a reader at work asks for more time. */
const ackWaitMs = 4_000;

/** Starts one durable pull consumer for each teller. It ends only by disposal: every fault is waited out. */
export function startListening<Context>(options: ListenOptions<Context>): Listening {
  const stop = new AbortController();
  const lanes = createLanes(options, stop.signal);
  const tellers = new Set<Teller>(Object.values(options.reactions).flatMap(({ event }) => event.tellers));
  const pulls = [...tellers].map((teller) => keepPulling(options, teller, lanes, stop.signal));
  return {
    state: lanes.state,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(pulls);
      await lanes.finish();
    },
  };
}

async function keepPulling<Context>(
  { broker, service, log }: ListenOptions<Context>,
  teller: Teller,
  lanes: Lanes,
  stopped: AbortSignal,
): Promise<void> {
  for (let faults = 0; !stopped.aborted; ) {
    try {
      await ensureConsumer(broker, service, teller);
      const consumer = await broker.js.consumers.get(broker.streamOf(teller), service);
      while (!stopped.aborted) {
        await lanes.room();
        // Short pulls: after the broker has been away or has lost the consumer, the next one finds out.
        const messages = await consumer.fetch({ max_messages: 256, expires: 2_000 });
        const count = await hand(messages, lanes, stopped);
        if (count === 0 && !stopped.aborted) await consumer.info();
        faults = 0;
      }
    } catch (error) {
      if (stopped.aborted) return;
      log.warn({ err: error, teller }, 'cannot pull events: trying again');
      await pause(backoffMs(faults++), undefined, { signal: stopped }).catch(() => {});
    }
  }
}

async function hand(messages: ConsumerMessages, lanes: Lanes, stopped: AbortSignal): Promise<number> {
  const close = () => void messages.close();
  stopped.addEventListener('abort', close, { once: true });
  let count = 0;
  try {
    for await (const message of messages) {
      lanes.add(message as JsMsg);
      count += 1;
    }
  } finally {
    stopped.removeEventListener('abort', close);
  }
  return count;
}

async function ensureConsumer(broker: Broker, service: ServiceName, teller: Teller): Promise<void> {
  await broker.ensureStream(teller);
  await broker.jsm.consumers.add(broker.streamOf(teller), {
    durable_name: service,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    replay_policy: ReplayPolicy.Instant,
    ack_wait: nanos(ackWaitMs),
    // The broker never gives up: poison is set aside by us, with its reason, in Postgres.
    max_deliver: -1,
    max_ack_pending: 1_000,
  });
}
