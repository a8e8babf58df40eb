import { type CornerClient, CornerError, type Reply } from '@corner/client';
import type { Kept } from '@corner/page-kit/browser/storage';
import { callerOf } from './corner.ts';
import { type KeptRead, keepRead, readKept } from './kept-reads.ts';

/**
 * The state of a read. `data` is undefined until the first reply, unless one was stored. `stale`: the data is from an earlier visit, or was
 * not confirmed since the last failure. `error` is that of the last attempt; undefined after a success. `offline`: the last attempt got no
 * reply. `noCustomer`: there is no customer yet, so there is nothing to read.
 */
export interface ReadState<T> {
  readonly data: T | undefined;
  readonly stale: boolean;
  readonly error: unknown;
  readonly offline: boolean;
  readonly noCustomer: boolean;
}

/**
 * `live` follows the read over server-sent events. `ahead` reads it once before that, because the server has let the browser request that
 * reply ahead of the pages. `keep` stores the last reply for a visit without a connection. `everyMs` is the pause between two reads that
 * are not live.
 */
export interface ReadRequest {
  readonly path: string;
  readonly options: { readonly params?: { readonly path?: object; readonly query?: object } };
  readonly live: boolean;
  readonly ahead: boolean;
  readonly keep: boolean;
  readonly everyMs: number;
}

interface Environment {
  readonly client: Pick<CornerClient, 'GET' | 'follow'>;
  readonly storage: Kept;
  readonly customerId: () => string | null;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Milliseconds. `insteadMs`: after a read that replaced a failed stream, where the server sends no Retry-After. `afterFailureMs`: after a
 * failure that may pass, which the client itself has by then retried five times.
 */
const insteadMs = 2_000;
const afterFailureMs = 5_000;
const mayPass = (error: unknown): boolean => !(error instanceof CornerError) || ![400, 401, 403, 404, 405, 422].includes(error.status);

const noConnection = new CornerError({ code: 'UNREACHABLE', status: 0, message: 'The browser has no connection.', operation: undefined });

/**
 * One read of a page, shared by any number of components. It runs from the first subscriber to the last. `again` reads at once: after a
 * change, or when the page is shown again. `pause` stops while the page is hidden. `lose` stops since the browser has no connection, and
 * shows so: a stream may hang for long without an error.
 */
export interface SharedRead {
  readonly state: () => ReadState<unknown>;
  subscribe(listener: () => void): () => void;
  again(): void;
  pause(): void;
  lose(): void;
}

export const keyOf = ({ path, options, live }: ReadRequest): string =>
  `${live ? '' : 'once '}${path} ${JSON.stringify(options.params ?? {})}`;

export const shareRead = (request: ReadRequest, environment: Environment): SharedRead => new ReadWithListeners(request, environment);

class ReadWithListeners implements SharedRead {
  readonly #request: ReadRequest;
  readonly #environment: Environment;
  readonly #key: string;
  readonly #ofCustomer: boolean;
  readonly #listeners = new Set<() => void>();
  #previous: Reply<unknown> | undefined;
  #state: ReadState<unknown>;
  #running: AbortController | undefined;
  #isAsked = false;

  constructor(request: ReadRequest, environment: Environment) {
    this.#request = request;
    this.#environment = environment;
    this.#key = keyOf(request);
    this.#ofCustomer = callerOf('GET', request.path) !== 'anyone';
    this.#previous = request.keep ? replyOf(readKept(environment.storage, this.#key, environment.customerId())) : undefined;
    this.#state = { data: this.#previous?.data, stale: true, error: undefined, offline: false, noCustomer: false };
  }

  state = (): ReadState<unknown> => this.#state;

  again = (): void => {
    this.pause();
    if (this.#listeners.size === 0) return;
    // The previous customer is gone: the next one must not see their data.
    if (this.#ofCustomer && this.#environment.customerId() === null) {
      this.#previous = undefined;
      this.#set({ data: undefined, stale: false, error: undefined, offline: false, noCustomer: true });
      return;
    }
    this.#running = new AbortController();
    void this.#run(this.#running.signal);
  };

  pause = (): void => {
    this.#running?.abort();
    this.#running = undefined;
  };

  lose = (): void => {
    this.pause();
    if (this.#listeners.size > 0 && !this.#state.noCustomer) this.#set({ stale: true, offline: true, error: noConnection });
  };

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.again();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.pause();
    };
  };

  #set(next: Partial<ReadState<unknown>>): void {
    this.#state = { ...this.#state, ...next };
    for (const listener of this.#listeners) listener();
  }

  #arrived(data: unknown, etag: string | undefined): void {
    const { storage, customerId } = this.#environment;
    const kept = { data, etag: etag ?? null, customer_id: this.#ofCustomer ? customerId() : null };
    if (this.#request.keep) keepRead(storage, this.#key, kept);
    this.#set({ data, stale: false, error: undefined, offline: false, noCustomer: false });
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { live, everyMs } = this.#request;
    while (!signal.aborted) {
      try {
        await (live ? this.#followOrRead(signal) : this.#readOnce(signal, everyMs));
      } catch (error) {
        if (signal.aborted) return;
        this.#set({ error, stale: true, offline: error instanceof CornerError && error.code === 'UNREACHABLE' });
        await this.#environment.wait(mayPass(error) ? afterFailureMs : everyMs, signal).catch(() => {});
      }
    }
  }

  async #get(signal: AbortSignal, previous?: Reply<unknown>): Promise<Reply<unknown>> {
    const { path, options } = this.#request;
    return (await this.#environment.client.GET(path as never, { ...options, previous, signal } as never)) as Reply<unknown>;
  }

  async #readOnce(signal: AbortSignal, everyMs: number): Promise<void> {
    this.#previous = await this.#get(signal, this.#previous);
    this.#arrived(this.#previous.data, this.#previous.etag);
    await this.#environment.wait(everyMs, signal);
  }

  /** While there is no capacity for another stream, or none comes through, the page reads instead. */
  async #followOrRead(signal: AbortSignal): Promise<void> {
    try {
      await this.#followOnce(signal);
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error;
      const retryAfter = error instanceof CornerError ? error.retryAfter : undefined;
      await this.#readOnce(signal, retryAfter === undefined ? insteadMs : retryAfter * 1_000);
    }
  }

  async #followOnce(signal: AbortSignal): Promise<void> {
    const { path, options, ahead } = this.#request;
    const headers: Record<string, string> = {};
    // Also with a state of an earlier visit: the browser gives its preloaded reply to the next request of that URL, which must not be the
    // stream's.
    if (ahead && !this.#isAsked) {
      this.#isAsked = true;
      const { data, etag } = await this.#get(signal);
      this.#arrived(data, etag);
      // The stream identifies a state by its ETag, and skips the one that is here.
      if (etag !== undefined) headers['Last-Event-ID'] = etag.replaceAll('"', '');
    }
    const stream = this.#environment.client.follow(path as never, { ...options, headers, signal } as never);
    for await (const data of stream) this.#arrived(data, undefined);
  }
}

const replyOf = (read: KeptRead | undefined): Reply<unknown> | undefined =>
  read && {
    data: read.data,
    etag: read.etag ?? undefined,
    requestId: undefined,
    replayed: false,
    unchanged: true,
    response: new Response(null),
  };
