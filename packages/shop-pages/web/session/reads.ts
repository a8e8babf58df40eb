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
export function shareRead(request: ReadRequest, { client, storage, customerId, wait }: Environment): SharedRead {
  const key = keyOf(request);
  const ofCustomer = callerOf('GET', request.path) !== 'anyone';
  const listeners = new Set<() => void>();
  let previous = request.keep ? replyOf(readKept(storage, key, customerId())) : undefined;
  let state: ReadState<unknown> = { data: previous?.data, stale: true, error: undefined, offline: false, noCustomer: false };
  let running: AbortController | undefined;
  let isAsked = false;

  const set = (next: Partial<ReadState<unknown>>): void => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };
  const arrived = (data: unknown, etag: string | undefined): void => {
    if (request.keep) keepRead(storage, key, { data, etag: etag ?? null, customer_id: ofCustomer ? customerId() : null });
    set({ data, stale: false, error: undefined, offline: false, noCustomer: false });
  };
  const readOnce = async (signal: AbortSignal, everyMs = request.everyMs): Promise<void> => {
    const reply = await client.GET(request.path as never, { ...request.options, previous, signal } as never);
    previous = reply as Reply<unknown>;
    arrived(previous.data, previous.etag);
    await wait(everyMs, signal);
  };
  const followOnce = async (signal: AbortSignal): Promise<void> => {
    const headers: Record<string, string> = {};
    // Also with a state of an earlier visit: the browser gives the reply that it holds to the next request of that URL, which may not be the stream's.
    if (request.ahead && !isAsked) {
      isAsked = true;
      const reply = (await client.GET(request.path as never, { ...request.options, signal } as never)) as Reply<unknown>;
      arrived(reply.data, reply.etag);
      // The stream names a state by its ETag, and spares the one that is here.
      if (reply.etag !== undefined) headers['Last-Event-ID'] = reply.etag.replaceAll('"', '');
    }
    for await (const data of client.follow(request.path as never, { ...request.options, headers, signal } as never))
      arrived(data, undefined);
  };
  /** Follows. While there is no room for another stream, or none comes through, the page has its data all the same. */
  const followOrRead = async (signal: AbortSignal): Promise<void> => {
    try {
      await followOnce(signal);
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error;
      const retryAfter = error instanceof CornerError ? error.retryAfter : undefined;
      await readOnce(signal, retryAfter === undefined ? insteadMs : retryAfter * 1_000);
    }
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      try {
        await (request.live ? followOrRead(signal) : readOnce(signal));
      } catch (error) {
        if (signal.aborted) return;
        set({ error, stale: true, offline: error instanceof CornerError && error.code === 'UNREACHABLE' });
        await wait(mayPass(error) ? afterFailureMs : request.everyMs, signal).catch(() => {});
      }
    }
  };
  const start = (): void => {
    running?.abort();
    running = undefined;
    if (listeners.size === 0) return;
    // The customer before is gone: the next one does not see what was theirs.
    if (ofCustomer && customerId() === null) {
      previous = undefined;
      set({ data: undefined, stale: false, error: undefined, offline: false, noCustomer: true });
      return;
    }
    running = new AbortController();
    void run(running.signal);
  };
  const pause = (): void => {
    running?.abort();
    running = undefined;
  };
  return {
    state: () => state,
    again: start,
    pause,
    lose() {
      pause();
      if (listeners.size > 0 && !state.noCustomer) set({ stale: true, offline: true, error: noConnection });
    },
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) start();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) pause();
      };
    },
  };
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
