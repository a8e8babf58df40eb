import { numbers, type Producer, type ServiceName } from '@corner/contracts';
import { consumerNameOf } from '@corner/nats';
import { after, pause } from '../async/clock.ts';
import { backoffMs } from '../async/waiting.ts';
import type { Broker, DurableConsumer, Pull } from '../broker/broker.ts';
import { findBrokerFault } from '../broker/limits.ts';
import { againMs } from '../broker/streams.ts';
import type { PostgresConnection } from '../database/postgres-connection.ts';
import type { Call } from '../rpc/call.ts';
import { withLogFields } from '../telemetry/log.ts';
import { holdConsumerLease } from './consumer-lease.ts';
import { deliveryOfMessage, type Origin } from './delivery.ts';
import { openDirectoryFeed } from './directory-snapshots.ts';
import { type Feed, type FeedState, openFeed, type PullOutcome } from './feed.ts';
import type { ConsumeOptions, InboxOptions } from './incoming-event.ts';
import type { PartitionsState } from './partitions.ts';
import { labelOf, type Part } from './parts.ts';

export interface ConsumerOptions<Context> extends InboxOptions<Context>, Pick<ConsumeOptions<Context>, 'gatherMs'> {
  readonly service: ServiceName;
  readonly broker: Broker;
  readonly call: Call;
  readonly postgres: PostgresConnection;
}

interface ConsumersState extends PartitionsState {
  parts: number;
  readonly pulling: Set<string>;
  readonly faults: Map<string, string>;
  readonly feeds: Map<string, FeedState>;
}

export interface Consumers extends AsyncDisposable {
  readonly state: Readonly<ConsumersState>;
}

/**
 * Starts a durable pull consumer for each producer, in each part on one replica at a time. They end only by disposal: after a fault they
 * try again.
 */
export function startConsumers<Context>(options: ConsumerOptions<Context>): Consumers {
  const stop = new AbortController();
  const state: ConsumersState = { lagging: false, processed: 0, parts: 1, pulling: new Set(), faults: new Map(), feeds: new Map() };
  const producers = [...new Set<Producer>(Object.values(options.eventHandlers).flatMap(({ event }) => event.producers))];
  const running =
    producers.length === 0
      ? Promise.resolve()
      : withLogFields({ background: 'consumer' }, () =>
          holdConsumerLease(
            { ...options, onParts: (parts) => Object.assign(state, { parts }) },
            stop.signal,
            async (ended, { lease, ...part }, onLostLease) => {
              const pulls = producers.map((producer) =>
                withLogFields({ producer, ...(part.of > 1 ? { part: part.part + 1 } : {}) }, () =>
                  new Puller({ ...options, lease, onLostLease }, { producer, part, state, stopped: ended }).run(),
                ),
              );
              await Promise.all(pulls);
            },
          ),
        );
  return {
    state,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

const pullMs = 2_000;
const shortPullMs = 1_000;

/**
 * Pulls a producer's events into its feed, again after every fault until it is stopped. While the broker cannot deliver them, the feed
 * reads them from the producer.
 */
class Puller<Context> {
  readonly #options: ConsumerOptions<Context> & ConsumeOptions<Context>;
  readonly #producer: Producer;
  readonly #part: Part;
  readonly #label: string;
  readonly #state: ConsumersState;
  readonly #stopped: AbortSignal;
  readonly #feedState: FeedState = { last: null, missing: 0, missingSince: null };
  #feed: Feed | null = null;
  #consumer: DurableConsumer | null = null;
  #pulled: PullOutcome = 'nothing came';
  #lost: AbortSignal;
  #faults = 0;

  constructor(options: ConsumerOptions<Context> & ConsumeOptions<Context>, { producer, part, state, stopped }: PullerOptions) {
    this.#options = options;
    this.#producer = producer;
    this.#part = part;
    this.#label = labelOf(producer, part);
    this.#state = state;
    this.#stopped = stopped;
    this.#lost = options.broker.untilLost();
  }

  async run(): Promise<void> {
    this.#state.feeds.set(this.#label, this.#feedState);
    while (!this.#stopped.aborted) {
      if (this.#lost.aborted) await this.#waitForBroker();
      else await this.#pull().catch((error) => this.#pauseAfter(error));
    }
    await this.#close();
  }

  /** A pull sent while the broker is away may never get a response, and the broker may have lost its newest messages. */
  async #waitForBroker(): Promise<void> {
    const { broker } = this.#options;
    this.#state.pulling.delete(this.#label);
    await broker.untilConnected(this.#stopped);
    this.#lost = broker.untilLost();
    this.#feed?.suspectLoss();
  }

  async #pull(): Promise<void> {
    const { broker, service } = this.#options;
    this.#feed ??= await this.#openFeed();
    const feed = this.#feed;
    // Before the search for the consumer: a broker that cannot deliver may still carry RPCs, and may have lost the consumer without an
    // error.
    if ((await feed.tend(this.#pulled)) > 0) this.#consumer = null;
    await feed.partitions.room();
    this.#consumer ??= await broker.findConsumer(this.#producer, consumerNameOf(service, this.#part.part));
    const messages = await this.#consumer.fetch({ max_messages: 256, expires: feed.isBehind() ? shortPullMs : pullMs });
    const from: Origin = { producer: this.#producer, subjects: broker.subject(`${this.#producer}.`), part: this.#part };
    const count = await distribute(messages, from, feed, AbortSignal.any([this.#stopped, this.#lost]));
    this.#pulled = count > 0 ? 'events came' : 'nothing came';
    this.#faults = 0;
    this.#state.faults.delete(this.#label);
    this.#state.pulling.add(this.#label);
  }

  #openFeed(): Promise<Feed> {
    const [producer, common] = [this.#producer, { ...this.#options, part: this.#part, state: this.#state, stopped: this.#stopped }];
    return numbers(producer) ? openFeed({ ...common, producer, feedState: this.#feedState }) : openDirectoryFeed(common);
  }

  async #pauseAfter(error: unknown): Promise<void> {
    const { broker, log } = this.#options;
    const producer = this.#producer;
    this.#consumer = null;
    this.#pulled = 'nothing can come';
    this.#state.pulling.delete(this.#label);
    if (this.#stopped.aborted) return;
    const { sentence: fault } = await findBrokerFault(error, () => broker.isSilent(producer));
    if (this.#state.faults.get(this.#label) !== fault) log.warn({ err: error, producer, fault }, 'cannot pull events: trying again');
    this.#state.faults.set(this.#label, fault);
    this.#faults += 1;
    await pause(backoffMs(this.#faults - 1, againMs), this.#stopped);
  }

  async #close(): Promise<void> {
    const producer = this.#producer;
    await this.#feed
      ?.close()
      .catch((error) => this.#options.log.warn({ err: error, producer }, 'the position of a consumer cannot be recorded'));
    this.#state.pulling.delete(this.#label);
    this.#state.faults.delete(this.#label);
    this.#state.feeds.delete(this.#label);
  }
}

interface PullerOptions {
  readonly producer: Producer;
  readonly part: Part;
  readonly state: ConsumersState;
  readonly stopped: AbortSignal;
}

async function distribute(messages: Pull, from: Origin, feed: Feed, ended: AbortSignal): Promise<number> {
  const close = () => void messages.close();
  ended.addEventListener('abort', close, { once: true });
  // A pull ends in time on its own, unless its broker vanished without closing the connection.
  using _ = after(2 * pullMs, close);
  let count = 0;
  try {
    for await (const message of messages) {
      feed.take(deliveryOfMessage(message, from));
      count += 1;
    }
  } finally {
    ended.removeEventListener('abort', close);
  }
  return count;
}
