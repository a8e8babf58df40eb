import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Broker,
  type DeliveredMessage,
  type IncomingMessage,
  OutOfPlace,
  type Pull,
  type SubscribeOptions,
} from '@corner/chassis/broker';
import type { Clock } from '@corner/chassis/host';
import { numbers, type Producer, producers, producersFor, type ServiceName, services, streamOf } from '@corner/contracts';
import { Connection, servedFor } from './connection.ts';
import { type BrokerFaults, noFaults } from './faults.ts';
import { OpenPull } from './open-pull.ts';
import { contentOf, headersOf, matches, SimulatedStream } from './simulated-stream.ts';

export interface Deliverable {
  readonly producer: Producer;
  readonly service: string;
  readonly sequence: number;
}

interface Subscriber extends SubscribeOptions {
  readonly pattern: string;
  readonly client: object;
  readonly call: (message: IncomingMessage, caller?: string) => void;
}

interface AskedFor {
  readonly client: Connection;
  readonly producer: Producer;
  readonly service: string;
  readonly pull: OpenPull;
}

/**
 * Streams, consumers and requests as NATS has them. While deliveries are held, `deliver` hands out those that a seed has drawn; otherwise
 * each event goes to the consumer that pulls. Timeouts use the simulated clock.
 */
export class SimulatedBroker {
  faults: BrokerFaults = noFaults;
  readonly #clock: Clock;
  readonly #streams = new Map<Producer, SimulatedStream>();
  readonly #subscribers = new Set<Subscriber>();
  readonly #askedFor = new Set<AskedFor>();
  readonly #connections = new Set<Connection>();
  readonly #inVain = new Set<string>();
  #isHeld = false;
  activity = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    for (const producer of producers) {
      const consumers = services.filter((service) => producersFor(service).includes(producer));
      this.#streams.set(producer, new SimulatedStream(streamOf(producer), consumers, !numbers(producer), clock));
    }
  }

  get deliverable(): Deliverable[] {
    const { activity } = this;
    const asked = [...this.#askedFor].filter(({ pull }) => pull.isOpen);
    const all = asked.flatMap(({ producer, service }) =>
      this.stream(producer)
        .waitingFor(service)
        .map((sequence) => ({ producer, service, sequence })),
    );
    this.activity = activity;
    return all.sort((a, b) => keyOf(a).localeCompare(keyOf(b)) || a.sequence - b.sequence);
  }

  isInVain(call: string): boolean {
    return [...this.#inVain].some((requestId) => requestId.startsWith(`${call}.`));
  }

  stream(producer: Producer): SimulatedStream {
    this.activity += 1;
    const stream = this.#streams.get(producer);
    if (!stream) throw new RangeError(`${producer} has no stream`);
    return stream;
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#handOut();
  }

  deliver({ producer, service, sequence }: Deliverable): void {
    const asked = [...this.#askedFor].find((one) => one.producer === producer && one.service === service && one.pull.isOpen);
    if (asked) this.#hand(asked, sequence);
  }

  restart(forgotten = 0): void {
    this.activity += 1;
    for (const stream of this.#streams.values()) stream.forget(forgotten);
    for (const { pull } of this.#askedFor) pull.close();
    for (const connection of this.#connections) connection.lose();
    this.#handOut();
  }

  connect(connection = new Connection('a test')): Broker {
    this.#connections.add(connection);
    return {
      isConnected: () => !connection.isClosed,
      isClosed: () => connection.isClosed,
      untilLost: () => connection.lost.signal,
      untilConnected: async () => {},
      streamOf: (owner) => streamOf(owner),
      subject: (plain) => plain,
      lookAtStream: async (producer) => {
        const { firstSequence, lastSequence } = this.stream(producer);
        return { firstSequence, lastSequence, fault: null };
      },
      isSilent: async () => false,
      publish: (subject, body, options) => (connection.isCut ? never : this.#publish(subject, body, options)),
      findConsumer: async (producer, service) => ({
        fetch: async ({ max_messages, expires }) =>
          connection.isCut ? await never : this.#pull({ client: connection, producer, service }, max_messages, expires),
      }),
      readStored: (producer, { from, to = Number.POSITIVE_INFINITY, subject = '>' }) =>
        asAsync(this.stream(producer).read(from, to, subject)),
      newestStored: async (producer, subject) => this.stream(producer).newest(subject),
      sequenceSince: async (producer, instant) => this.stream(producer).sequenceSince(instant),
      lagOf: async (producer, service) => this.stream(producer).lagOf(service),
      request: (subject, body, { timeout, headers = {} }) =>
        connection.isCut ? never : this.#request(connection.name, subject, body, headers, timeout),
      subscribe: (pattern, options) => this.#subscribe(connection, pattern, options),
      flush: async () => {},
      [Symbol.asyncDispose]: async () => {
        connection.lost.abort();
        this.#forget(connection);
      },
    };
  }

  /** Ends a connection as a crash of its program does: neither messages nor replies reach it any more. */
  cut(connection: Connection): void {
    connection.isCut = true;
    this.#forget(connection);
    for (const asked of this.#askedFor) if (asked.client === connection) this.#askedFor.delete(asked);
  }

  #forget(connection: Connection): void {
    connection.isClosed = true;
    for (const subscriber of this.#subscribers) if (subscriber.client === connection) this.#subscribers.delete(subscriber);
    this.#connections.delete(connection);
  }

  async #publish(...[subject, body, { msgID, after, headers = {}, timeout = 5_000 }]: Parameters<Broker['publish']>): Promise<void> {
    this.activity += 1;
    const producer = producers.find((one) => matches(`${one}.>`, subject));
    if (!producer) throw new Error(`no stream takes ${subject}`);
    const fate = this.faults.publication(producer);
    using timeOut = this.#timeOut(timeout, subject);
    await turn();
    if (fate !== 'lost') {
      if (!this.stream(producer).store(subject, body, headers, msgID, after)) throw new OutOfPlace('wrong last msg ID');
      this.#tellSubscribers(subject, body, headers);
      this.#handOut();
    }
    if (fate !== 'stored') await timeOut.late;
  }

  #pull(by: Omit<AskedFor, 'pull'>, most: number, expires: number): Pull {
    this.activity += 1;
    const pull = new OpenPull(most, this.#clock, expires, by.client.lost.signal);
    const asked = { ...by, pull };
    this.#askedFor.add(asked);
    void pull.closed.then(() => this.#askedFor.delete(asked));
    this.#handOut();
    return pull;
  }

  #handOut(): void {
    if (this.#isHeld) return;
    for (const asked of this.#askedFor)
      for (const sequence of this.stream(asked.producer).waitingFor(asked.service)) if (asked.pull.isOpen) this.#hand(asked, sequence);
  }

  #hand({ client, producer, service, pull }: AskedFor, sequence: number): void {
    this.activity += 1;
    const message = this.stream(producer).take(service, sequence);
    const ack = () => {
      this.activity += 1;
      if (!client.isCut && !this.faults.losesAck(serviceOf(service))) message.ack();
    };
    const nak = () => {
      if (!client.isCut) message.nak();
      this.#handOut();
    };
    pull.add({ ...message, ack, nak } satisfies DeliveredMessage);
  }

  #subscribe(client: Connection, pattern: string, options: SubscribeOptions) {
    // A message is handled in the context of the subscribing program, not of the sender.
    const inItsPlace = AsyncLocalStorage.snapshot();
    const call = (message: IncomingMessage, caller = '') => inItsPlace(() => servedFor.run(caller, () => options.callback(null, message)));
    const subscriber: Subscriber = { ...options, pattern, client, call };
    this.#subscribers.add(subscriber);
    const unsubscribe = () => void this.#subscribers.delete(subscriber);
    return { isClosed: () => !this.#subscribers.has(subscriber), unsubscribe, drain: async () => unsubscribe() };
  }

  #receivers(subject: string): Subscriber[] {
    const all = [...this.#subscribers].filter(({ pattern }) => matches(pattern, subject));
    return all.filter(({ queue }, at) => queue === undefined || all.findIndex((other) => other.queue === queue) === at);
  }

  #tellSubscribers(subject: string, body: string, headers: Readonly<Record<string, string>>): void {
    for (const { call } of this.#receivers(subject)) call({ subject, headers: headersOf(headers), ...contentOf(body), respond() {} });
  }

  async #request(
    caller: string,
    ...[subject, body, headers, timeoutMs]: [string, string, Readonly<Record<string, string>>, number]
  ): Promise<{ json(): unknown }> {
    this.activity += 1;
    const receivers = this.#receivers(subject);
    if (receivers.length === 0) throw new Error(`no one replies to ${subject}`);
    const fate = this.faults.request(subject);
    const { promise: reply, resolve } = Promise.withResolvers<string>();
    using timeOut = this.#timeOut(timeoutMs, subject);
    const requestId = headers['X-Request-Id'] ?? '';
    const isLost = () => void this.#inVain.add(requestId);
    await turn();
    if (fate === 'lost') isLost();
    else {
      const respond = (replied: string) => {
        this.activity += 1;
        if (fate === 'carried') resolve(replied);
        else isLost();
      };
      for (const { call } of receivers) call({ subject, headers: headersOf(headers), ...contentOf(body), respond }, caller);
    }
    try {
      return await Promise.race([reply.then(contentOf), timeOut.late]);
    } finally {
      this.#inVain.delete(requestId);
    }
  }

  #timeOut(milliseconds: number, subject: string): Disposable & { readonly late: Promise<never> } {
    const { promise: late, reject } = Promise.withResolvers<never>();
    late.catch(() => {}); // It may time out before anything awaits it.
    const timer = this.#clock.after(milliseconds, () => reject(new Error(`no reply to ${subject} within ${milliseconds} ms`)));
    return { late, [Symbol.dispose]: () => timer[Symbol.dispose]() };
  }
}

const serviceOf = (consumer: string): ServiceName => consumer.split('_')[0] as ServiceName;

const never = new Promise<never>(() => {});

const keyOf = ({ producer, service }: Deliverable): string => `${producer} ${service}`;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function* asAsync<T>(all: Iterable<T>): AsyncGenerator<T> {
  for (const one of all) yield one;
}
