import { getEventListeners } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { type Forwarding, forward } from '../proxy/forward.ts';
import type { Replica } from '../proxy/replicas.ts';
import { TestAttempt } from './test-attempt.ts';
import type { TestClock } from './test-clock.ts';

const timeLimitMs = 2_500;

export interface RequestKind {
  readonly method: 'GET' | 'POST';
  readonly body: 'none' | 'read';
  readonly repeatable: boolean;
  readonly replicas: number;
}

export type Outcome = 'whole response' | 'cut off' | 'refused' | 'left';

/** One forwarded request whose replicas, caller and clock do what a test chooses, one move at a time. */
export class ForwardingRun {
  readonly kind: RequestKind;
  readonly history: string[] = [];
  readonly outcomes: Outcome[] = [];
  readonly attempts: TestAttempt[] = [];
  readonly breaches: string[] = [];
  readonly replicas: readonly Replica[];
  readonly response: TestResponse;
  reports = 0;
  readonly #request: IncomingMessage;
  readonly #stopping = new AbortController();
  readonly #clock: TestClock;
  readonly #watching = new Set<() => void>();

  constructor(kind: RequestKind, clock: TestClock) {
    this.kind = kind;
    this.#clock = clock;
    this.replicas = Array.from({ length: kind.replicas }, (_, index) => this.#replica(index));
    this.#request = Object.assign(new IncomingMessage(new Socket()), { method: kind.method, complete: true });
    this.#request.on('error', () => {});
    this.response = new TestResponse(this.#request, (outcome) => this.outcomes.push(outcome));
    forward(this.#forwarding());
  }

  moves(): readonly (readonly [name: string, make: () => void])[] {
    const attempt = this.attempts.at(-1);
    const ofWire = attempt ? attempt.moves() : [];
    const settled = this.outcomes.length > 0;
    const ofCaller: readonly (readonly [string, () => void])[] = [
      ...(settled ? [] : [['the caller leaves', () => this.#leave()] as const]),
    ];
    const unreachable = [...this.#watching].map((listener) => ['a replica is found unreachable', listener] as const);
    const stops = this.stopped ? [] : [['the gateway stops', () => this.#stopping.abort()] as const];
    return [...ofWire, ...ofWire, ...ofCaller, ...unreachable, ...stops, ['a second passes', () => this.#clock.advance(1_000)]];
  }

  move(nth: number): void {
    const moves = this.moves();
    const [name, make] = moves[nth % moves.length] as (typeof moves)[number];
    this.history.push(name);
    make();
  }

  /** Lets the caller leave when it has no response yet, and an attempt that still waits get its connection. */
  finish(): void {
    if (this.outcomes.length === 0) this.#leave();
    this.attempts.at(-1)?.connect();
  }

  get stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  get listeners(): number {
    return getEventListeners(this.#stopping.signal, 'abort').length + this.response.listenerCount('close') + this.#watching.size;
  }

  #forwarding(): Forwarding {
    const { kind } = this;
    return {
      request: this.#request,
      response: this.response,
      upstream: {
        service: 'orders',
        replicas: this.replicas,
        fault: null,
        choose: (tried) => this.replicas.find((replica) => !tried.includes(replica)),
      },
      path: '/',
      headers: {},
      body: kind.body === 'none' ? null : Buffer.from('read'),
      repeatable: kind.repeatable,
      timeoutMs: timeLimitMs,
      isStream: false,
      stopping: this.#stopping.signal,
      headersToAdd: {},
      onSend: () => {},
      onStatus: () => {},
      onEnd: () => {
        this.reports += 1;
      },
      refuse: () => void this.outcomes.push('refused'),
    };
  }

  #replica(index: number): Replica {
    const pool = { dispatch: (_: object, handler: Dispatcher.DispatchHandler) => this.#dispatch(handler) };
    const onUnreachable = (listener: () => void) => {
      this.#watching.add(listener);
      return () => this.#watching.delete(listener);
    };
    const calls = { takeOut() {}, responded() {}, onUnreachable };
    return { origin: `http://replica-${index}`, pool, streams: pool, underway: 0, fault: null, ...calls } as unknown as Replica;
  }

  #dispatch(handler: Dispatcher.DispatchHandler): boolean {
    const before = this.attempts.at(-1);
    this.history.push('(sent to a replica)');
    if (this.response.began) this.breaches.push('sent after the first byte of a response');
    if (before?.connected && !this.kind.repeatable) this.breaches.push('sent twice although it may run twice');
    if (before && before.state !== 'over' && !before.aborted) this.breaches.push('sent while another attempt runs');
    this.attempts.push(new TestAttempt(handler));
    return true;
  }

  #leave(): void {
    this.outcomes.push('left');
    this.response.emit('close');
  }
}

class TestResponse extends ServerResponse {
  began = 0;
  readonly parts: string[] = [];
  readonly #onOutcome: (outcome: Outcome) => void;

  constructor(request: IncomingMessage, onOutcome: (outcome: Outcome) => void) {
    super(request);
    this.#onOutcome = onOutcome;
  }

  override writeHead(...args: unknown[]): this {
    this.began += 1;
    return super.writeHead(...(args as [number]));
  }

  override write(chunk: Buffer): boolean {
    this.parts.push(String(chunk));
    return true;
  }

  override end(): this {
    this.#onOutcome('whole response');
    return this;
  }

  override destroy(): this {
    this.#onOutcome('cut off');
    return this;
  }
}
