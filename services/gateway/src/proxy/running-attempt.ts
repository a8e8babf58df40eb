import type { IncomingMessage } from 'node:http';
import type { Headers } from '@corner/chassis/edge';
import type { Dispatcher } from 'undici';
import { type Attempt, type AttemptEvent, beginAttempt, type Report, stepAttempt } from './attempt.ts';
import type { Replica } from './replicas.ts';

export class RunningAttempt {
  readonly #sent: SentRequest;
  readonly #report: (report: Report) => void;
  #attempt: Attempt;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(sent: SentRequest, { afterLoss, report }: { readonly afterLoss: boolean; readonly report: (report: Report) => void }) {
    this.#sent = sent;
    this.#report = report;
    this.#attempt = beginAttempt(afterLoss);
  }

  /** Reports may come before this returns. */
  start(replica: Replica): void {
    const { request, path, headers, body, isStream } = this.#sent;
    const pool = isStream ? replica.streams : replica.pool;
    pool.dispatch(
      { path, method: request.method ?? 'GET', headers, body },
      {
        onRequestStart: (controller) => {
          this.#controller = controller;
          this.#handle({ type: 'connected' });
        },
        onResponseStart: (_controller, status, responseHeaders) => {
          if (status < 200) return;
          replica.responded();
          this.#handle({ type: 'response', status, headers: responseHeaders });
        },
        onResponseData: (_controller, chunk) => this.#handle({ type: 'data', chunk }),
        onResponseEnd: () => this.#handle({ type: 'end' }),
        onResponseError: (_controller, error) => this.#handle({ type: 'error', error }),
      },
    );
  }

  /** True if the replica may have received the request and has not begun to respond. */
  get isUnanswered(): boolean {
    return this.#attempt.state === 'sent' || this.#attempt.state === 'holding';
  }

  abort(reason: Error): void {
    this.#handle({ type: 'abort', reason });
  }

  pauseUntilDrained(response: NodeJS.EventEmitter): void {
    if (this.#attempt.state !== 'passing') return;
    this.#controller?.pause();
    response.once('drain', () => this.#controller?.resume());
  }

  #handle(event: AttemptEvent): void {
    const { attempt, reports, abort } = stepAttempt(this.#attempt, event);
    this.#attempt = attempt;
    if (abort) this.#controller?.abort(abort);
    for (const report of reports) this.#report(report);
  }
}

export interface SentRequest {
  readonly request: IncomingMessage;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Buffer | null;
  /** A stream takes a connection of its own. */
  readonly isStream: boolean;
}
