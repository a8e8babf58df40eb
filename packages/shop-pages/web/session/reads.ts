import { type CornerClient, CornerError, type Reply } from '@corner/client';
import type { Kept } from '@corner/page-kit/browser/storage';
import { callerOf } from './corner.ts';
import { type KeptRead, keepRead, readKept } from './kept-reads.ts';

/** What a page knows of a read. */
export interface ReadState<T> {
  /** Undefined until the first reply, unless one was kept. */
  readonly data: T | undefined;
  /** The data is of an earlier visit, or was not confirmed since the last failure. */
  readonly stale: boolean;
  /** Why the last attempt failed; undefined after a success. */
  readonly error: unknown;
  /** The last attempt got no reply. */
  readonly offline: boolean;
  /** There is no customer yet, so there is nothing to read. */
  readonly noCustomer: boolean;
}

/** A read without its types. */
export interface ReadRequest {
  readonly path: string;
  readonly options: { readonly params?: { readonly path?: object; readonly query?: object } };
  /** Follows it over server-sent events. */
  readonly live: boolean;
  /** Reads a followed read once before it follows it: the server has let the browser ask for that reply ahead of the pages. */
  readonly ahead: boolean;
  /** Keeps the last reply for a visit without a connection. */
  readonly keep: boolean;
  /** Milliseconds between two reads that are not live. */
  readonly everyMs: number;
}

interface Environment {
  readonly client: Pick<CornerClient, 'GET' | 'follow'>;
  readonly storage: Kept;
  readonly customerId: () => string | null;
  /** Waits, or until the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** After a read in the place of a stream that brought nothing, where the server does not say when to come back. */
const insteadMs = 2_000;
/** After a failure that may pass. The client itself has tried five times by then. */
const afterFailureMs = 5_000;
const mayPass = (error: unknown): boolean => !(error instanceof CornerError) || ![400, 401, 403, 404, 405, 422].includes(error.status);

const noConnection = new CornerError({ code: 'UNREACHABLE', status: 0, message: 'The browser has no connection.', operation: undefined });

/** One read that a page shows, whatever number of components use it. */
export interface SharedRead {
  readonly state: () => ReadState<unknown>;
  /** Begins to read with the first subscriber, and stops with the last. Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Reads at once: after a change, or when the page is shown again. */
  again(): void;
  /** Stops reading while the page is hidden. */
  pause(): void;
  /** Stops reading since the browser has no connection, and says so. A stream may hang for long without an error. */
  lose(): void;
}

export const keyOf = ({ path, options, live }: ReadRequest): string =>
  `${live ? '' : 'once '}${path} ${JSON.stringify(options.params ?? {})}`;

/** Reads again and again, or follows, and keeps the last state. */
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
    // The customer before is gone: the next one does not see what was theirs.
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

  /** Follows. While there is no room for another stream, or none comes through, the page has its data all the same. */
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
    // Also with a state of an earlier visit: the browser gives the reply that it holds to the next request of that URL, which may not be the stream's.
    if (ahead && !this.#isAsked) {
      this.#isAsked = true;
      const { data, etag } = await this.#get(signal);
      this.#arrived(data, etag);
      // The stream names a state by its ETag, and spares the one that is here.
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
