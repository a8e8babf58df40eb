import type { DeliveredMessage, ReceivedHeaders, SentHeaders, StoredMessage } from '@corner/chassis/broker';
import type { Clock } from '@corner/chassis/host';

const ackWaitMs = 4_000;

export interface Stored extends StoredMessage {
  readonly id: string;
  readonly headers: ReceivedHeaders;
}

interface ConsumerState {
  next: number;
  readonly handedOut: Map<number, { count: number; againAtMs: number }>;
}

export class SimulatedStream {
  readonly name: string;
  readonly #clock: Clock;
  readonly #newestOnly: boolean;
  readonly #messages = new Map<number, Stored>();
  readonly #sequences = new Map<string, number>();
  readonly #consumers = new Map<string, ConsumerState>();
  #lastSequence = 0;
  #lastId = '';

  constructor(name: string, services: readonly string[], newestOnly: boolean, clock: Clock) {
    this.name = name;
    this.#clock = clock;
    this.#newestOnly = newestOnly;
    for (const service of services) this.#consumers.set(service, { next: 1, handedOut: new Map() });
  }

  get lastSequence(): number {
    return this.#lastSequence;
  }

  get firstSequence(): number {
    return this.#messages.keys().next().value ?? this.#lastSequence + 1;
  }

  /** Ignores a known id. Returns false when `after` is not the last message. */
  store(subject: string, body: string, sent: SentHeaders, id: string, after: string | undefined): boolean {
    if (this.#sequences.has(id)) return true;
    if (after !== undefined && after !== this.#lastId) return false;
    this.#lastSequence += 1;
    this.#lastId = id;
    const headers = headersOf(sent);
    const seq = this.#lastSequence;
    if (this.#newestOnly)
      for (const earlier of this.#messages.values()) if (earlier.subject === subject) this.#messages.delete(earlier.seq);
    this.#messages.set(seq, { id, seq, subject, time: this.#clock.now(), headers, header: headers, ...contentOf(body) });
    this.#sequences.set(id, seq);
    return true;
  }

  *read(from: number, to: number, pattern: string): Generator<Stored> {
    for (const message of this.#messages.values())
      if (message.seq >= from && message.seq <= to && matches(pattern, message.subject)) yield message;
  }

  newest(subject: string): Stored | null {
    return [...this.read(1, this.#lastSequence, subject)].at(-1) ?? null;
  }

  sequenceSince(instant: Date): number {
    for (const { seq, time } of this.#messages.values()) if (time >= instant) return seq;
    return this.#lastSequence + 1;
  }

  waitingFor(service: string): number[] {
    const consumer = this.#of(service);
    const now = this.#clock.elapsedMs();
    const again = [...consumer.handedOut].filter(([seq, { againAtMs }]) => againAtMs <= now && this.#messages.has(seq)).map(([seq]) => seq);
    const fresh = [...this.#messages.keys()].filter((seq) => seq >= consumer.next && !consumer.handedOut.has(seq));
    return [...again.sort((a, b) => a - b), ...fresh];
  }

  take(service: string, seq: number): DeliveredMessage {
    const consumer = this.#of(service);
    const message = this.#messages.get(seq);
    if (!message) throw new RangeError(`${this.name} has no message ${seq}`);
    const count = (consumer.handedOut.get(seq)?.count ?? 0) + 1;
    for (let overtaken = consumer.next; overtaken < seq; overtaken += 1)
      if (!consumer.handedOut.has(overtaken)) consumer.handedOut.set(overtaken, { count: 0, againAtMs: 0 });
    consumer.next = Math.max(consumer.next, seq + 1);
    const settle = (againAtMs: number) => void (consumer.handedOut.has(seq) && consumer.handedOut.set(seq, { count, againAtMs }));
    consumer.handedOut.set(seq, { count, againAtMs: this.#clock.elapsedMs() + ackWaitMs });
    return {
      ...message,
      redelivered: count > 1,
      info: { stream: this.name, deliveryCount: count },
      ack: () => void consumer.handedOut.delete(seq),
      nak: () => settle(this.#clock.elapsedMs()),
      working: () => settle(this.#clock.elapsedMs() + ackWaitMs),
    };
  }

  lagOf(service: string): number {
    const { next, handedOut } = this.#of(service);
    return [...this.#messages.keys()].filter((seq) => seq >= next || handedOut.has(seq)).length;
  }

  /**
   * Loses the newest messages, as a broker does in a power cut; services then read those from the producer's database. Consumers begin
   * again.
   */
  forget(newest: number): void {
    for (const seq of [...this.#messages.keys()].slice(this.#messages.size - Math.min(newest, this.#messages.size))) {
      this.#sequences.delete(this.#messages.get(seq)?.id ?? '');
      this.#messages.delete(seq);
    }
    this.#lastSequence = [...this.#messages.keys()].at(-1) ?? 0;
    this.#lastId = this.#messages.get(this.#lastSequence)?.id ?? '';
    for (const service of this.#consumers.keys()) this.#consumers.set(service, { next: 1, handedOut: new Map() });
  }

  #of(service: string): ConsumerState {
    const consumer = this.#consumers.get(service);
    if (consumer) return consumer;
    if (!this.#consumers.has(service.split('_')[0] ?? '')) throw new RangeError(`${service} has no consumer of ${this.name}`);
    const further: ConsumerState = { next: 1, handedOut: new Map() };
    this.#consumers.set(service, further);
    return further;
  }
}

export const contentOf = (body: string) => ({ string: () => body, json: <T>() => JSON.parse(body) as T });

export const headersOf = (sent: SentHeaders): ReceivedHeaders => ({
  get: (name) => sent[name] ?? '',
  has: (name) => Object.hasOwn(sent, name),
});

export function matches(pattern: string, subject: string): boolean {
  const [wanted, parts] = [pattern.split('.'), subject.split('.')];
  if (wanted.at(-1) !== '>' && wanted.length !== parts.length) return false;
  return wanted.every((part, at) => (part === '>' ? parts.length > at : parts[at] !== undefined && (part === '*' || part === parts[at])));
}
