import { subscribe } from 'node:diagnostics_channel';
import pg from 'pg';

/** What this process has begun and has no result of, and a count that grows with all that it does. */
class UnderWay {
  #begun = 0;
  #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  /** Grows with each beginning and each end, so that two looks see whether anything happened between them. */
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

  /** Resolves at the next moment at which nothing is under way. */
  get ended(): Promise<void> {
    return this.isNothing ? Promise.resolve() : this.#ended.promise;
  }
}

/** Statements, logins and signatures of this process: Postgres and the thread pool have them. And turns at the gate. */
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

/** Requests and responses on their way between two programs: each of these comes after the one before. */
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
