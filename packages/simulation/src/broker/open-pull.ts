import type { DeliveredMessage, Pull } from '@corner/chassis/broker';
import type { Clock } from '@corner/chassis/host';

export class OpenPull implements Pull {
  readonly closed: Promise<void>;
  readonly #came: DeliveredMessage[] = [];
  #left: number;
  #isOpen = true;
  #wake: () => void = () => {};
  readonly #end: () => void;

  constructor(most: number, clock: Clock, expiresMs: number, lost: AbortSignal) {
    this.#left = most;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    const timer = clock.after(expiresMs, () => this.close());
    const onLost = () => this.close();
    lost.addEventListener('abort', onLost, { once: true });
    this.#end = () => {
      timer[Symbol.dispose]();
      lost.removeEventListener('abort', onLost);
      resolve();
    };
  }

  get isOpen(): boolean {
    return this.#isOpen && this.#left > 0;
  }

  add(message: DeliveredMessage): void {
    this.#came.push(message);
    this.#left -= 1;
    if (this.#left === 0) this.close();
    this.#wake();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#end();
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<DeliveredMessage> {
    for (;;) {
      const message = this.#came.shift();
      if (message) yield message;
      else if (!this.#isOpen) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
