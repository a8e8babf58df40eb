import type { ServerResponse } from 'node:http';
import { after, type Headers, measure, noteStream } from '@corner/chassis/edge';
import type { Problem } from '@corner/contracts';
import { discardBody } from '../http/send-problem.ts';
import {
  beginExchange,
  type Effect,
  type Exchange,
  type ExchangeEvent,
  type ExchangeFacts,
  type ExchangeStep,
  stepExchange,
} from './exchange.ts';
import { full } from './faults.ts';
import { headersToCaller } from './forwarded-headers.ts';
import type { Replica, Upstream } from './replicas.ts';
import { RunningAttempt, type SentRequest } from './running-attempt.ts';

/** Requests being forwarded to one replica at a time, including waiting ones; further requests are refused. */
const maxUnderway = 1024;

/**
 * Forwards a request and streams the response back with backpressure. No connection, a broken one or no response in time is a 503; a begun
 * response is cut off. `exchange.ts` decides whether another replica gets the request, within the same time limit, and `attempt.ts` follows
 * each attempt.
 */
export function forward(forwarding: Forwarding): void {
  const first = forwarding.upstream.choose([]);
  if (!first || first.underway >= maxUnderway) {
    first?.noteFull();
    forwarding.onEnd('overloaded');
    forwarding.refuse(full());
  } else new RunningExchange(forwarding).begin(first);
}

/** Executes the effects of the exchange. Timers, listeners and the replicas' counts follow from its state. */
class RunningExchange {
  readonly #forwarding: Forwarding;
  readonly #facts: ExchangeFacts;
  #exchange: Exchange = { state: 'ended' };
  #attempt: RunningAttempt | undefined;
  #timeLimit: Disposable | undefined;
  #pause: Disposable | undefined;
  #unwatch: () => void = () => {};

  constructor(forwarding: Forwarding) {
    const { upstream, request, repeatable } = forwarding;
    this.#forwarding = forwarding;
    this.#facts = {
      service: upstream.service,
      isRead: request.method === 'GET',
      repeatable,
      choose: (tried) => upstream.choose(tried),
    };
  }

  begin(first: Replica): void {
    const { response, timeoutMs } = this.#forwarding;
    this.#timeLimit = after(timeoutMs, () => this.#handle({ type: 'time limit' }));
    response.once('close', this.#onClose);
    this.#follow(beginExchange(first));
  }

  #handle(event: ExchangeEvent): void {
    this.#follow(stepExchange(this.#exchange, event, this.#facts));
  }

  #follow({ exchange, effects }: ExchangeStep): void {
    if (exchange !== this.#exchange) this.#enter(exchange);
    for (const effect of effects) this.#perform(effect);
  }

  #enter(next: Exchange): void {
    const before = this.#exchange;
    this.#exchange = next;
    const [from, to] = [busyReplica(before), busyReplica(next)];
    this.#unwatch();
    if (next.state === 'sending') this.#unwatch = next.replica.onUnreachable(this.#onUnreachable);
    if (from) from.underway -= 1;
    if (to) to.underway += 1;
    this.#pause?.[Symbol.dispose]();
    if (next.state === 'waiting') this.#pause = after(next.seconds * 1000, () => this.#handle({ type: 'pause over' }));
    else if (next.state !== 'sending') this.#timeLimit?.[Symbol.dispose]();
    if (next.state !== 'ended') return;
    this.#forwarding.response.off('close', this.#onClose);
    this.#forwarding.stopping.removeEventListener('abort', this.#onStop);
  }

  #perform(effect: Effect): void {
    const { response, request, onEnd, refuse, upstream } = this.#forwarding;
    switch (effect.do) {
      case 'send':
        this.#send(effect.replica, effect.afterLoss);
        break;
      case 'abort attempt':
        this.#attempt?.abort(effect.reason);
        break;
      case 'take out':
        effect.replica.takeOut(effect.fault);
        break;
      case 'count repeat':
        measure('corner.upstream.repeats', 1, { 'corner.service': upstream.service, 'corner.repeat.reason': effect.reason });
        break;
      case 'begin response':
        this.#beginResponse(effect);
        break;
      case 'write':
        if (!response.write(effect.chunk)) this.#attempt?.pauseUntilDrained(response);
        break;
      case 'end response':
        response.end();
        discardBody(request);
        break;
      case 'cut off response':
        response.destroy();
        break;
      case 'refuse':
        refuse(effect.problem);
        break;
      case 'report end':
        onEnd(effect.fault);
        break;
      default:
        effect satisfies never;
    }
  }

  #send(replica: Replica, afterLoss: boolean): void {
    this.#forwarding.onSend(replica.origin);
    this.#attempt = new RunningAttempt(this.#forwarding, { afterLoss, report: (report) => this.#handle(report) });
    this.#attempt.start(replica);
  }

  #beginResponse({ status, headers }: Effect & { do: 'begin response' }): void {
    const { response, onStatus, headersToAdd, stopping } = this.#forwarding;
    onStatus(status, headers['idempotent-replayed'] === 'true');
    response.writeHead(status, headersToCaller(headers, headersToAdd));
    if (this.#exchange.state !== 'streaming') return;
    noteStream(response);
    if (stopping.aborted) this.#onStop();
    else stopping.addEventListener('abort', this.#onStop, { once: true });
  }

  readonly #onUnreachable = (): void => {
    if (this.#attempt?.isUnanswered) this.#handle({ type: 'replica out' });
  };

  readonly #onStop = (): void => this.#handle({ type: 'gateway stops' });

  readonly #onClose = (): void => {
    if (!this.#forwarding.response.writableFinished) this.#handle({ type: 'caller left' });
  };
}

const busyReplica = (exchange: Exchange): Replica | null =>
  exchange.state === 'streaming' || exchange.state === 'ended' ? null : exchange.replica;

export interface Forwarding extends SentRequest {
  readonly response: ServerResponse;
  readonly upstream: Upstream;
  /** True if the service may get the request a second time: its body was kept, and a repeat changes nothing more. */
  readonly repeatable: boolean;
  /** Milliseconds in which the service must begin its response to the complete request, including the wait for a connection. */
  readonly timeoutMs: number;
  readonly stopping: AbortSignal;
  readonly headersToAdd: Headers;
  readonly onSend: (origin: string) => void;
  /** `replayed`: the response repeats an earlier one. */
  readonly onStatus: (status: number, replayed: boolean) => void;
  /** Called once when the call has ended, with the fault that ended it, if any; of a stream, when it has begun. */
  readonly onEnd: (fault?: unknown) => void;
  readonly refuse: (problem: Problem) => void;
}
