import { subscribe } from 'node:diagnostics_channel';
import pg from 'pg';

/**
 * Counts this process's unfinished work: statements, logins and signatures, which Postgres and the thread pool carry out, and turns at the
 * gate. `activity` grows with each beginning and end, so that two looks show whether anything happened in between.
 */
class UnderWay {
  #begun = 0;
  #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  activity = 0;

  get isNothing(): boolean {
    return this.#begun === 0;
  }

  begin(): () => void {
    this.#begun += 1;
    this.activity += 1;
    return () => {
      this.#begun -= 1;
      this.activity += 1;
      if (this.#begun > 0) return;
      this.#ended.resolve();
      this.#ended = Promise.withResolvers();
    };
  }

  get ended(): Promise<void> {
    return this.isNothing ? Promise.resolve() : this.#ended.promise;
  }
}

export const underWay = new UnderWay();

type Sending = (...sent: unknown[]) => unknown;

function count(owner: object, method: string): void {
  const methods = owner as Record<string, Sending>;
  const send = methods[method] as Sending;
  methods[method] = function counted(...sent) {
    const result = send.apply(this, sent);
    if (!(result instanceof Promise)) return result;
    const end = underWay.begin();
    result.then(end, end);
    return result;
  };
}

for (const method of ['connect', 'query']) count(pg.Client.prototype, method);
for (const method of ['sign', 'verify', 'importKey', 'digest']) count(Object.getPrototypeOf(crypto.subtle), method);

const exchanges = [
  'undici:request:create',
  'undici:request:headers',
  'undici:request:trailers',
  'undici:request:error',
  'http.client.request.start',
  'http.client.response.finish',
  'http.client.request.error',
  'http.server.request.start',
  'http.server.response.finish',
];
const note = (): void => {
  underWay.activity += 1;
};
for (const exchange of exchanges) subscribe(exchange, note);
