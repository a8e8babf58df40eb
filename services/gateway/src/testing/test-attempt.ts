import type { Dispatcher } from 'undici';

/** The wire of one attempt. It keeps to what undici promises: nothing follows an end or an error, and an abort is an error. */
export class TestAttempt {
  state: 'connecting' | 'connected' | 'responding' | 'over' = 'connecting';
  connected = false;
  aborted = false;
  readonly sent: string[] = [];
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #controller: Dispatcher.DispatchController;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
    const abort = (reason: Error) => {
      this.aborted = true;
      this.fail(reason);
    };
    this.#controller = { abort, pause() {}, resume() {} } as unknown as Dispatcher.DispatchController;
  }

  moves(): readonly (readonly [name: string, make: () => void])[] {
    switch (this.state) {
      case 'connecting':
        return [
          ['connects', () => this.connect()],
          ['connects', () => this.connect()],
          ['refuses the connection', () => this.fail(withCode('ECONNREFUSED'))],
        ];
      case 'connected':
        return [
          ['responds', () => this.#respond(200)],
          ['responds with a stream', () => this.#respond(200, { 'content-type': 'text/event-stream' })],
          ['has the lost attempt in progress', () => this.#conflict('IDEMPOTENCY_IN_PROGRESS')],
          ['has another conflict', () => this.#conflict('SLOT_JUST_FILLED')],
          ['breaks the connection', () => this.fail(withCode('ECONNRESET'))],
          ['speaks no HTTP', () => this.fail(withCode('HPE_INVALID'))],
        ];
      case 'responding':
        return [
          ['sends a part', () => this.#send(`part ${this.sent.length}`)],
          ['ends its response', () => this.#end()],
          ['breaks the connection', () => this.fail(withCode('ECONNRESET'))],
        ];
      case 'over':
        return [];
      default:
        return this.state satisfies never;
    }
  }

  fail(error: Error): void {
    if (this.state === 'over') return;
    this.state = 'over';
    this.#handler.onResponseError?.(this.#controller, error);
  }

  connect(): void {
    if (this.state !== 'connecting') return;
    this.state = 'connected';
    this.connected = true;
    this.#handler.onRequestStart?.(this.#controller, {});
  }

  #respond(status: number, headers: Readonly<Record<string, string>> = {}): void {
    this.state = 'responding';
    this.#handler.onResponseStart?.(this.#controller, status, headers, '');
  }

  #conflict(code: string): void {
    this.#respond(409, { 'retry-after': '1' });
    this.#send(JSON.stringify({ error: { code } }));
  }

  #send(part: string): void {
    if (this.state !== 'responding') return;
    this.sent.push(part);
    this.#handler.onResponseData?.(this.#controller, Buffer.from(part));
  }

  #end(): void {
    this.state = 'over';
    this.#handler.onResponseEnd?.(this.#controller, {});
  }
}

const withCode = (code: string): Error => Object.assign(new Error(code), { code });
